import type { Issue, ResultStatus } from "./issue.ts";
import type { Trajectory } from "./trajectory.ts";

export type MetricValue = boolean | number;

/** Content of `attempt-<n>/result.json`: exactly these fields, as AgentCompass 1.0.1 reads it strictly. */
export type AttemptResult = {
  readonly status: ResultStatus;
  readonly metrics: Readonly<Record<string, MetricValue>>;
  readonly final_answer: unknown;
  readonly trajectory: Trajectory | Record<string, never>;
  readonly issues: readonly Issue[];
  readonly artifacts: Readonly<Record<string, unknown>>;
  readonly analysis_result: Readonly<Record<string, unknown>>;
  readonly meta: {
    readonly benchmark: Readonly<Record<string, unknown>>;
    readonly harness: Readonly<Record<string, unknown>>;
  };
  readonly retry_count: number;
};

/** A task with all its attempts: what metrics, summary and reuse work on. */
export type TaskResult = {
  readonly task_id: string;
  readonly category: string | null;
  readonly ground_truth: unknown;
  /** Attempt number (1..k, as text) to result; an absent number is an attempt without result. */
  readonly attempts: Readonly<Record<string, AttemptResult>>;
};
