/** What went wrong in an attempt, as data. Severities decide scores and retries (see engine and metrics). */
export type IssueSeverity = "fatal" | "error" | "warning";
export type IssuePhase = "setup" | "run" | "collect" | "evaluate" | "cleanup";

export type Issue = {
  /** fatal: the task has no score and the request fails; error: the metric that was produced counts; warning: for information. */
  readonly severity: IssueSeverity;
  readonly phase: IssuePhase;
  /** Stable text such as `model_failed`; retry patterns search it and the message. */
  readonly code: string;
  /** One redacted line. */
  readonly message: string;
};

export const RESULT_STATUSES = [
  "completed",
  "run_error",
  "eval_error",
  "run_error_or_eval_error",
  "skipped",
  "cancelled",
  "interrupted",
] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** Derives an attempt's status from its issues; warnings play no part. */
export function statusFromIssues(issues: readonly Issue[]): ResultStatus {
  const serious = issues.filter((issue) => issue.severity !== "warning");
  const inEvaluation = serious.some((issue) => issue.phase === "evaluate");
  const elsewhere = serious.some((issue) => issue.phase !== "evaluate");
  if (inEvaluation && elsewhere) return "run_error_or_eval_error";
  if (inEvaluation) return "eval_error";
  return elsewhere ? "run_error" : "completed";
}

const RANK: Record<IssueSeverity, number> = { warning: 1, error: 2, fatal: 3 };

/** The worst severity among issues; undefined when there is none. */
export function worstSeverity(issues: readonly Issue[]): IssueSeverity | undefined {
  let worst: IssueSeverity | undefined;
  for (const issue of issues) if (!worst || RANK[issue.severity] > RANK[worst]) worst = issue.severity;
  return worst;
}
