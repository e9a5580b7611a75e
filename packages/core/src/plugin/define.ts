import type {
  BenchmarkDefinition,
  EnvironmentDefinition,
  HarnessDefinition,
  ParamsSchema,
  RecipeDefinition,
  ScorerDefinition,
} from "./definition.ts";

/** The schema library of parameters, for a file without a zod of its own. */
export { z } from "zod";

/**
 * A benchmark as the default export of a component file.
 *
 * @example
 * export default defineBenchmark({ id: "capitals", description: "...", doLoad, doPrepare, doEvaluate });
 */
export function defineBenchmark<S extends ParamsSchema | undefined = undefined>(
  definition: BenchmarkDefinition<S>,
): BenchmarkDefinition<S> & { readonly kind: "benchmark" } {
  return { ...definition, kind: "benchmark" };
}

/** A harness as the default export of a component file. */
export function defineHarness<S extends ParamsSchema | undefined = undefined>(
  definition: HarnessDefinition<S>,
): HarnessDefinition<S> & { readonly kind: "harness" } {
  return { ...definition, kind: "harness" };
}

/** An environment as the default export of a component file. */
export function defineEnvironment<S extends ParamsSchema | undefined = undefined>(
  definition: EnvironmentDefinition<S>,
): EnvironmentDefinition<S> & { readonly kind: "environment" } {
  return { ...definition, kind: "environment" };
}

/** A scorer of the benchmark `jsonl` as the default export of a component file. */
export function defineScorer(definition: ScorerDefinition): ScorerDefinition & { readonly kind: "scorer" } {
  return { ...definition, kind: "scorer" };
}

/** A recipe as the default export of a component file. */
export function defineRecipe(definition: RecipeDefinition): RecipeDefinition & { readonly kind: "recipe" } {
  return { ...definition, kind: "recipe" };
}
