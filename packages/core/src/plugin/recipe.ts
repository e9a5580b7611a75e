import type { ExecutionPlan } from "../plan/execution-plan.ts";
import type { ResolvedRequest } from "../spec/resolved.ts";
import type { TaskSpec } from "./benchmark.ts";

/**
 * A rule that adapts the plan of tasks it matches: an image, a working directory, resources, a timeout. Both functions are pure
 * and synchronous; what they are given is frozen. Recipes are tried in the order in which they were loaded, each on the plan
 * that the one before left.
 */
export interface Recipe {
  readonly id: string;
  /** One line for `list recipe`. */
  readonly description: string;
  matches(request: ResolvedRequest, task: TaskSpec, plan: ExecutionPlan): boolean;
  /**
   * Returns a new plan. It may set `environment.setup`, `environment.resources`, network policies, timeouts and `env_variables`;
   * changing anything else, or throwing, ends the task with a FATAL `setup_failed`.
   */
  apply(plan: ExecutionPlan, request: ResolvedRequest, task: TaskSpec): ExecutionPlan;
}
