import type { AttemptResult, TaskResult } from "../result/attempt-result.ts";
import type { Issue } from "../result/issue.ts";
import type { AttemptPlan } from "../result/metric-contract.ts";
import { attemptDirectory } from "./layout.ts";

export const TASK_SCHEMA = "agentcompass.task.v3";
export const CHECKPOINT_SCHEMA = "agentcompass.attempt_checkpoint.v1";
export const EVALUATION_CHECKPOINT_SCHEMA = "agentcompass.evaluation_checkpoint.v4";
export const RETRY_SCHEMA = "agentcompass.retry.v1";
export const RUN_INFO_SCHEMA = "agentcompass.run_info.v3";

/** task.json of a task that is being worked on. */
export function runningTaskDocument(taskId: string, attempts: readonly number[]): object {
  return { schema_version: TASK_SCHEMA, task_id: taskId, attempts: attemptMap(attempts) };
}

/** task.json of a finished task: the three shared keys are what marks it as published. */
export function publishedTaskDocument(task: TaskResult, plan: AttemptPlan): object {
  return {
    ...runningTaskDocument(task.task_id, Object.keys(task.attempts).map(Number)),
    category: task.category,
    ground_truth: task.ground_truth ?? null,
    attempt_plan: { k: plan.k, strategy: plan.strategy },
  };
}

function attemptMap(attempts: readonly number[]): Record<string, string> {
  const sorted = [...attempts].sort((left, right) => left - right);
  return Object.fromEntries(sorted.map((attempt) => [String(attempt), attemptDirectory(attempt)]));
}

export type RetryFacts = {
  readonly taskId: string;
  readonly category: string | null;
  readonly attempt: number;
  readonly retry: number;
  readonly maxRetries: number;
  readonly delaySeconds: number;
  readonly stage: string;
  readonly scope: "attempt" | "evaluate";
  readonly matchedPattern: string;
  readonly issues: readonly Issue[];
  readonly discarded: object;
};

/** A retry file: what was thrown away and why. */
export function retryDocument(facts: RetryFacts): object {
  return {
    schema_version: RETRY_SCHEMA,
    task_id: facts.taskId,
    category: facts.category,
    attempt: facts.attempt,
    retry: facts.retry,
    max_retries: facts.maxRetries,
    retry_delay_seconds: facts.delaySeconds,
    stage: facts.stage,
    scope: facts.scope,
    matched_pattern: facts.matchedPattern,
    issues: facts.issues,
    discarded_result: facts.discarded,
  };
}

/** result.json in the field order that AgentCompass writes. */
export function attemptResultDocument(result: AttemptResult): object {
  return {
    status: result.status,
    metrics: result.metrics,
    final_answer: result.final_answer ?? null,
    trajectory: result.trajectory,
    issues: result.issues,
    artifacts: result.artifacts,
    analysis_result: result.analysis_result,
    meta: result.meta,
    retry_count: result.retry_count,
  };
}
