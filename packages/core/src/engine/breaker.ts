/**
 * When a request ends before its last task: pure decisions over what its tasks have shown so far. Only tasks that ended in
 * this run count; results taken from an earlier run and tasks still under way say nothing.
 */

/** How one task of this run ended. */
export type TaskEnd = {
  /** Model calls of its attempts in this run. */
  readonly calls: number;
  /** True when a model has answered any call of the request by now. */
  readonly reached: boolean;
};

/** What is remembered of the tasks that have ended. */
export type Observed = {
  /** Tasks that ended after calls of which none reached a model. */
  readonly unreachedTasks: number;
  /** True for good once any call reached a model. */
  readonly reached: boolean;
};

export type EarlyEnd = { readonly kind: "never_reached"; readonly tasks: number };

export const NOTHING_OBSERVED: Observed = { unreachedTasks: 0, reached: false };

/** So many tasks that called a model and reached none show that the rest would not reach it either. */
export const UNREACHED_TASK_LIMIT = 3;

export function observe(observed: Observed, end: TaskEnd): Observed {
  const reached = observed.reached || end.reached;
  const unreached = !reached && end.calls > 0;
  return { reached, unreachedTasks: observed.unreachedTasks + (unreached ? 1 : 0) };
}

/** Why the rest of the request should not run; undefined while it should. */
export function decideEarlyEnd(observed: Observed): EarlyEnd | undefined {
  const { reached, unreachedTasks } = observed;
  if (reached || unreachedTasks < UNREACHED_TASK_LIMIT) return undefined;
  return { kind: "never_reached", tasks: unreachedTasks };
}
