import { AgentCompassError, errorText } from "../error.ts";
import type { Recipe, TaskSpec } from "../plugin/index.ts";
import { nearest } from "../spec/nearest.ts";
import type { ResolvedRequest } from "../spec/resolved.ts";
import type { ExecutionPlan } from "./execution-plan.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { checkRecipePlan } from "./recipe-plan.ts";

/**
 * The recipes that a request uses: those that `enabled_recipes` names, all when it names none, in the order in which they were
 * loaded. Throws `component.unknown` for an id that no recipe has.
 */
export function selectRecipes(recipes: readonly Recipe[], enabled: readonly string[]): readonly Recipe[] {
  if (enabled.length === 0) return recipes;
  const known = recipes.map((recipe) => recipe.id);
  const unknown = enabled.find((id) => !known.includes(id));
  if (unknown !== undefined) throw unknownRecipe(unknown, known);
  return recipes.filter((recipe) => enabled.includes(recipe.id));
}

function unknownRecipe(id: string, known: readonly string[]): AgentCompassError {
  const guess = nearest(id, known);
  const hint =
    known.length === 0
      ? "none is loaded: name the recipe's file in components, or its folder in runtime.recipe_dirs"
      : `known: ${known.join(", ")}`;
  return new AgentCompassError(
    "component.unknown",
    `execution.enabled_recipes: unknown recipe '${id}'${guess ? `; did you mean '${guess}'?` : ""} (${hint})`,
    { data: { kind: "recipe", id, known } },
  );
}

export type RecipeAsk = {
  readonly request: ResolvedRequest;
  readonly task: TaskSpec;
  readonly recipes: readonly Recipe[];
};

/**
 * The plan after every recipe that matches, one after the other; their ids are in `applied_recipes`. Throws `component.invalid`
 * with the recipe's id when one throws, is not synchronous, or returns a plan that may not be.
 */
export function applyRecipes(plan: ExecutionPlan, ask: RecipeAsk): ExecutionPlan {
  if (ask.recipes.length === 0) return plan;
  const request = frozenRequest(ask.request);
  const task = frozenCopy(ask.task);
  let current = plan;
  for (const recipe of ask.recipes) {
    const given = frozenCopy(current);
    if (!isMatch(recipe, request, task, given)) continue;
    const returned: unknown = calling(recipe, "apply", () => recipe.apply(given, request, task));
    const next = reading(recipe, () => checkRecipePlan(recipe.id, current, returned));
    current = { ...next, applied_recipes: [...current.applied_recipes, recipe.id] };
  }
  return current;
}

function isMatch(recipe: Recipe, request: ResolvedRequest, task: TaskSpec, plan: ExecutionPlan): boolean {
  const answer: unknown = calling(recipe, "matches", () => recipe.matches(request, task, plan));
  if (typeof answer === "boolean") return answer;
  const found = answer instanceof Promise ? "a promise; a recipe is synchronous" : typeof answer;
  throw new AgentCompassError(
    "component.invalid",
    `recipe '${recipe.id}': matches must return true or false, found ${found}`,
  );
}

function calling<T>(recipe: Recipe, what: "matches" | "apply", call: () => T): T {
  try {
    return call();
  } catch (error) {
    const reason = /read.?only property|not extensible|Cannot (add|delete) property/.test(errorText(error))
      ? "changed what it was given; return a new plan instead"
      : `threw: ${errorText(error)}`;
    throw new AgentCompassError("component.invalid", `recipe '${recipe.id}': ${what} ${reason}`, { cause: error });
  }
}

/** What a recipe returns may throw when it is looked into. */
function reading<T>(recipe: Recipe, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (AgentCompassError.isInstance(error)) throw error;
    const reason = errorText(error).split(/\r?\n/, 1)[0];
    throw new AgentCompassError("component.invalid", `recipe '${recipe.id}': the plan cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

/** One copy serves every task of a request. */
const frozenRequests = new WeakMap<ResolvedRequest, ResolvedRequest>();

function frozenRequest(request: ResolvedRequest): ResolvedRequest {
  const known = frozenRequests.get(request);
  if (known) return known;
  const copy = frozenCopy(request);
  frozenRequests.set(request, copy);
  return copy;
}
