import { AgentCompassError } from "@agentcompass/core";
import type {
  Benchmark,
  Catalog,
  ComponentDescriptor,
  ComponentFile,
  Environment,
  Harness,
  OwnComponentKind,
  Recipe,
  ScorerDefinition,
} from "@agentcompass/core/plugin";
import { SCORERS } from "../benchmark/params.ts";
import { jsonlWithScorers } from "./own-scorer.ts";

/** Components to add to a catalog. */
export type Components = {
  readonly benchmarks?: readonly ComponentDescriptor<Benchmark>[];
  readonly harnesses?: readonly ComponentDescriptor<Harness>[];
  readonly environments?: readonly ComponentDescriptor<Environment>[];
  /** Of the benchmark `jsonl`. */
  readonly scorers?: readonly ScorerDefinition[];
  readonly recipes?: readonly Recipe[];
  /** The files that they come from. */
  readonly files?: readonly ComponentFile[];
};

/** A catalog with further components. Throws AgentCompassError `component.invalid` for an id that is taken. */
export function extendCatalog(catalog: Catalog, components: Components): Catalog {
  const { scorers = [], recipes = [], files = [] } = components;
  const benchmark = extend(catalog.benchmark, components.benchmarks);
  return {
    benchmark,
    harness: extend(catalog.harness, components.harnesses),
    environment: extend(catalog.environment, components.environments),
    ...withScorers(catalog, benchmark, scorers),
    ...(recipes.length > 0 || catalog.recipes ? { recipes: withRecipes(catalog.recipes ?? [], recipes) } : {}),
    ...(files.length > 0 || catalog.files ? { files: [...(catalog.files ?? []), ...files] } : {}),
  };
}

function extend<T>(
  known: ReadonlyMap<string, ComponentDescriptor<T>>,
  added: readonly ComponentDescriptor<T>[] = [],
): ReadonlyMap<string, ComponentDescriptor<T>> {
  const result = new Map(known);
  for (const descriptor of added) {
    if (result.has(descriptor.id)) throw taken(descriptor.kind, descriptor.id);
    result.set(descriptor.id, descriptor);
  }
  return result;
}

/** `jsonl` takes every scorer of the catalog; its place in the order of benchmarks stays. */
function withScorers(
  catalog: Catalog,
  benchmarks: Catalog["benchmark"],
  added: readonly ScorerDefinition[],
): Partial<Catalog> {
  if (added.length === 0) return catalog.scorers ? { scorers: catalog.scorers } : {};
  const scorers = new Map(catalog.scorers);
  for (const scorer of added) {
    if (scorers.has(scorer.id) || SCORERS.some((id) => id === scorer.id)) throw taken("scorer", scorer.id);
    scorers.set(scorer.id, scorer);
  }
  const benchmark = new Map(benchmarks);
  const jsonl = benchmark.get("jsonl");
  if (jsonl) benchmark.set("jsonl", jsonlWithScorers(jsonl, [...scorers.values()]));
  return { benchmark, scorers };
}

function withRecipes(known: readonly Recipe[], added: readonly Recipe[]): readonly Recipe[] {
  const recipes = [...known];
  for (const recipe of added) {
    if (recipes.some(({ id }) => id === recipe.id)) throw taken("recipe", recipe.id);
    recipes.push(recipe);
  }
  return recipes;
}

function taken(kind: OwnComponentKind, id: string): AgentCompassError {
  return new AgentCompassError("component.invalid", `${kind} ${id}: there is already one of this id; choose another`);
}
