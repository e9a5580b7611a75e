/**
 * When a request ends before its last task: pure decisions over what its tasks have shown so far. Only tasks that ended in
 * this run count; results taken from an earlier run and tasks still under way say nothing.
 */
import type { TaskResult } from "../result/attempt-result.ts";

/** A FATAL issue as far as it tells whether tasks end in the same way. */
export type FatalEnd = { readonly code: string; readonly message: string };

/** How one task of this run ended. */
export type TaskEnd = {
  /** Model calls of its attempts in this run. */
  readonly calls: number;
  /** True when a model has answered any call of the request by now. */
  readonly reached: boolean;
  /** Set when every attempt of the task ended in this code, its retries used up. */
  readonly fatal: FatalEnd | undefined;
};

/** What is remembered of the tasks that have ended. */
export type Observed = {
  /** Tasks that ended after calls of which none reached a model. */
  readonly unreachedTasks: number;
  /** True for good once any call reached a model. */
  readonly reached: boolean;
  /** Tasks that ended in the same FATAL code; `mixed` for good once one ended otherwise. */
  readonly fatal: "none" | "mixed" | (FatalEnd & { readonly tasks: number });
};

/** Why a request ends early; `tasks` are those that showed it. */
export type EarlyEnd =
  | { readonly kind: "never_reached"; readonly tasks: number }
  | ({ readonly kind: "same_fatal"; readonly tasks: number } & FatalEnd);

export const NOTHING_OBSERVED: Observed = { unreachedTasks: 0, reached: false, fatal: "none" };

/** So many tasks that called a model and reached none show that the rest would not reach it either. */
export const UNREACHED_TASK_LIMIT = 3;

export function observe(observed: Observed, end: TaskEnd): Observed {
  const reached = observed.reached || end.reached;
  const unreached = !reached && end.calls > 0;
  return {
    reached,
    unreachedTasks: observed.unreachedTasks + (unreached ? 1 : 0),
    fatal: withFatal(observed.fatal, end.fatal),
  };
}

function withFatal(known: Observed["fatal"], fatal: FatalEnd | undefined): Observed["fatal"] {
  if (known === "mixed" || fatal === undefined) return "mixed";
  if (known === "none") return { ...fatal, tasks: 1 };
  return known.code === fatal.code ? { ...known, tasks: known.tasks + 1 } : "mixed";
}

/**
 * Why the rest of the request should not run; undefined while it should. A request with one FATAL task fails anyway, so that
 * ending it early changes what it costs, never whether it counts. A limit of 0 leaves FATAL tasks alone.
 */
export function decideEarlyEnd(observed: Observed, fatalTaskLimit: number): EarlyEnd | undefined {
  const { reached, unreachedTasks, fatal } = observed;
  if (!reached && unreachedTasks >= UNREACHED_TASK_LIMIT) return { kind: "never_reached", tasks: unreachedTasks };
  if (typeof fatal === "string" || fatalTaskLimit === 0 || fatal.tasks < fatalTaskLimit) return undefined;
  return { kind: "same_fatal", ...fatal };
}

/** The code that all attempts of a task ended in; undefined when one of them has a score or another code. */
export function fatalEndOf(result: Pick<TaskResult, "attempts">): FatalEnd | undefined {
  const fatals = Object.values(result.attempts).map(({ issues }) => issues.find((one) => one.severity === "fatal"));
  const [first] = fatals;
  if (!first || fatals.some((one) => one?.code !== first.code)) return undefined;
  return { code: first.code, message: first.message };
}
