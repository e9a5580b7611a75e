import { AgentCompassError } from "@agentcompass/core";
import type { Environment } from "@agentcompass/core/plugin";

/**
 * An environment that comes with AgentCompass, for one's own to build upon. Rejects with `component.unknown` for an id that is not
 * built in, `component.unavailable` for one of a later release.
 *
 * @example
 * const host = await builtinEnvironment("host_process");
 */
export async function builtinEnvironment(id: string): Promise<Environment> {
  const { builtinCatalog } = await import("@agentcompass/runner/catalog");
  const known = builtinCatalog().environment;
  const descriptor = known.get(id);
  if (!descriptor)
    throw new AgentCompassError(
      "component.unknown",
      `there is no built-in environment '${id}' (known: ${[...known.keys()].sort().join(", ")})`,
    );
  if (!descriptor.load)
    throw new AgentCompassError("component.unavailable", `environment '${id}' comes with a later release`);
  return descriptor.load();
}
