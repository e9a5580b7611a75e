import { AgentCompassError } from "@agentcompass/core";
import type { Benchmark, Catalog, ComponentDescriptor, Environment, Harness } from "@agentcompass/core/plugin";

/** Components to add to a catalog. */
export type Components = {
  readonly benchmarks?: readonly ComponentDescriptor<Benchmark>[];
  readonly harnesses?: readonly ComponentDescriptor<Harness>[];
  readonly environments?: readonly ComponentDescriptor<Environment>[];
};

/** A catalog with further components. Throws AgentCompassError `component.invalid` for an id that is taken. */
export function extendCatalog(catalog: Catalog, components: Components): Catalog {
  return {
    benchmark: extend(catalog.benchmark, components.benchmarks),
    harness: extend(catalog.harness, components.harnesses),
    environment: extend(catalog.environment, components.environments),
  };
}

function extend<T>(
  known: ReadonlyMap<string, ComponentDescriptor<T>>,
  added: readonly ComponentDescriptor<T>[] = [],
): ReadonlyMap<string, ComponentDescriptor<T>> {
  const result = new Map(known);
  for (const descriptor of added) {
    if (result.has(descriptor.id))
      throw new AgentCompassError(
        "component.invalid",
        `${descriptor.kind} ${descriptor.id}: there is already one of this id; choose another`,
      );
    result.set(descriptor.id, descriptor);
  }
  return result;
}
