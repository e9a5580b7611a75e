import type { AttemptResult, MetricValue } from "./attempt-result.ts";
import { exactMean } from "./exact-sum.ts";
import type { AttemptPlan } from "./metric-contract.ts";
import type { SeriesPlan } from "./series-plan.ts";

/** What a report reads of an attempt. */
export type ReportAttempt = {
  readonly status: AttemptResult["status"];
  readonly metrics: Readonly<Record<string, MetricValue>>;
  readonly issues: readonly Pick<AttemptResult["issues"][number], "severity">[];
};

/** What a report reads of a task. */
export type ReportTask = {
  readonly task_id: string;
  readonly category: string | null;
  readonly attempts: Readonly<Record<string, ReportAttempt>>;
};

/** What holds of a task whichever metric is reduced. */
export type TaskState = {
  /** A FATAL issue in any attempt: the task has no value and the evaluation failed. */
  readonly invalidated: boolean;
  /** A FATAL or ERROR issue, or a missing attempt that no legal stop explains. */
  readonly error: boolean;
};

/** Statuses of an attempt whose success does not end a `pass` task. */
const NO_STOP: ReadonlySet<string> = new Set(["cancelled", "interrupted", "skipped"]);

export function taskState(task: ReportTask, plan: AttemptPlan, primaryId: string): TaskState {
  const attempts = Object.values(task.attempts);
  const hasIssue = (severity: string) =>
    attempts.some((attempt) => attempt.issues.some((issue) => issue.severity === severity));
  const invalidated = hasIssue("fatal");
  const missing = attempts.length < plan.k && (invalidated || !stoppedLegally(task, plan, primaryId));
  return { invalidated, error: invalidated || hasIssue("error") || missing };
}

/** True when a `pass` task ended early because its last attempt succeeded. */
function stoppedLegally(task: ReportTask, plan: AttemptPlan, primaryId: string): boolean {
  if (plan.strategy !== "pass" || plan.k === 1) return false;
  const count = Object.keys(task.attempts).length;
  for (let attempt = 1; attempt <= count; attempt += 1) if (!attemptOf(task, attempt)) return false;
  const last = attemptOf(task, count);
  return last !== undefined && metricOf(last, primaryId) === true && !NO_STOP.has(last.status);
}

/** A task's value in a series; null when it cannot be had. Invalidated tasks are the caller's to leave out. */
export function reduceTask(task: ReportTask, { metric, reducer }: SeriesPlan, k: number): number | null {
  const values = Array.from({ length: k }, (_, index) => metricOf(attemptOf(task, index + 1), metric.id));
  if (reducer === "pass" && values.includes(true)) return 1;
  const numbers = values.filter((value) => value !== undefined).map(Number);
  if (numbers.length < k) return null;
  return reducer === "pass" ? 0 : exactMean(numbers);
}

function attemptOf(task: ReportTask, attempt: number): ReportAttempt | undefined {
  const key = String(attempt);
  return Object.hasOwn(task.attempts, key) ? task.attempts[key] : undefined;
}

function metricOf(attempt: ReportAttempt | undefined, id: string): MetricValue | undefined {
  return attempt && Object.hasOwn(attempt.metrics, id) ? attempt.metrics[id] : undefined;
}
