export { buildExecutionPlan, type PlanAsk, PUBLIC_NETWORK } from "./build-plan.ts";
export { checkEnvironment, checkTask } from "./environment-check.ts";
export type { ExecutionPlan } from "./execution-plan.ts";
export { executionId } from "./identity.ts";
export { selectProtocol } from "./protocol.ts";
export { applyRecipes, type RecipeAsk, selectRecipes } from "./recipe.ts";
export { type TimeLimit, type TimeLimits, type TimeLimitsAsk, timeLimits } from "./time-limits.ts";
