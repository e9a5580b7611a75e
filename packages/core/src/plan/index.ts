export { checkEnvironment, checkTask } from "./environment-check.ts";
export { buildExecutionPlan, type ExecutionPlan, type PlanAsk, PUBLIC_NETWORK } from "./execution-plan.ts";
export { executionId } from "./identity.ts";
export { selectProtocol } from "./protocol.ts";
export { applyRecipes, type RecipeAsk, selectRecipes } from "./recipe.ts";
export { type TimeLimit, type TimeLimits, type TimeLimitsAsk, timeLimits } from "./time-limits.ts";
