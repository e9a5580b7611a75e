import type { AttemptResult } from "../result/attempt-result.ts";
import { type Issue, statusFromIssues } from "../result/issue.ts";
import type { Trajectory } from "../result/trajectory.ts";
import { allIssues, type ExecutionContext, type ExecutionOutcome } from "./context.ts";
import { rerunEvaluation, runExecution } from "./execution.ts";
import type { ModelRefusal } from "./model-refusal.ts";
import { decideRetry, type RetryDecision, type RetryPolicy } from "./retry.ts";

/** A held permit; release is idempotent. */
export type Held = { release(): Promise<void>; readonly waitedMs: number };

export type AttemptPorts = {
  /** Waits for the right to run one execution. */
  readonly hold: (generation: number, signal: AbortSignal) => Promise<Held>;
  /** Keeps what a retry throws away; returns where. */
  readonly keepDiscarded: (retry: Discarded) => Promise<string>;
};

export type Discarded = {
  readonly outcome: ExecutionOutcome;
  readonly retry: number;
  readonly delaySeconds: number;
  readonly matchedPattern: string;
  readonly scope: "attempt" | "evaluate";
  readonly stage: string;
};

export type AttemptOutcome = {
  readonly outcome: ExecutionOutcome;
  readonly retryCount: number;
  readonly waitingMs: number;
  readonly workingMs: number;
};

/** Starting point of an attempt that continues an earlier one. */
export type AttemptStart = { readonly outcome?: ExecutionOutcome; readonly evaluateOnly?: ExecutionOutcome };

/**
 * Runs executions of one attempt until one stands or the retries are used up. The permit is released before a retry waits:
 * a wait holds nothing.
 */
export async function runAttempt(
  context: ExecutionContext,
  ports: AttemptPorts,
  start: AttemptStart = {},
): Promise<AttemptOutcome> {
  const policy = retryPolicy(context);
  let retries = 0;
  let waitingMs = 0;
  let workingMs = 0;
  let outcome = start.outcome;
  let evaluateOnly = start.evaluateOnly;
  let stage = "recovery";
  while (true) {
    if (outcome === undefined) {
      const held = await ports.hold(retries, context.signal);
      const startedAt = context.clock.monotonic();
      try {
        outcome = await execute(context, evaluateOnly);
      } finally {
        workingMs += context.clock.monotonic() - startedAt;
        waitingMs += held.waitedMs;
        await held.release();
      }
      stage = "attempt";
    }
    const { scope, decision } = decideScope(context, outcome, retries, policy);
    if (!decision.retry) {
      if (decision.heldBack) sayHeldBack(context, decision.heldBack);
      return { outcome, retryCount: retries, waitingMs, workingMs };
    }
    retries += 1;
    const discarded: Discarded = {
      outcome,
      retry: retries,
      delaySeconds: decision.delaySeconds,
      matchedPattern: decision.matchedPattern,
      scope,
      stage: stage === "attempt" && scope === "evaluate" ? "evaluate" : stage,
    };
    const waitedFrom = context.clock.monotonic();
    await waitForRetry(context, ports, discarded, policy.maxRetries);
    waitingMs += context.clock.monotonic() - waitedFrom;
    evaluateOnly = scope === "evaluate" ? outcome : undefined;
    outcome = undefined;
  }
}

function execute(context: ExecutionContext, evaluateOnly: ExecutionOutcome | undefined): Promise<ExecutionOutcome> {
  if (evaluateOnly?.prepared === undefined) return runExecution(context);
  return rerunEvaluation(context, evaluateOnly.prepared, evaluateOnly.run);
}

function retryPolicy(context: ExecutionContext): RetryPolicy {
  const { execution } = context.request;
  return {
    maxRetries: execution.max_retries,
    patterns: execution.retry_pattern_list,
    minDelaySeconds: execution.retry_min_delay_seconds,
    maxDelaySeconds: execution.retry_max_delay_seconds,
    isStrict: execution.retry_policy === "strict",
  };
}

/** What the run left comes first; an evaluation that needs no environment is repeated without the agent. */
function decideScope(
  context: ExecutionContext,
  outcome: ExecutionOutcome,
  retries: number,
  policy: RetryPolicy,
): { scope: "attempt" | "evaluate"; decision: RetryDecision } {
  const alone = context.plan.evaluation_environment_mode === "none" && outcome.prepared !== undefined;
  const whole = alone ? outcome.run.issues : allIssues(outcome);
  const decide = (issues: readonly Issue[], refusal: ModelRefusal | undefined): RetryDecision =>
    decideRetry({ issues, retriesDone: retries, refusal, now: context.clock.now() }, policy, context.random);
  const { refusal } = outcome.run;
  const attempt = decide(whole, alone ? refusal : (refusal ?? outcome.evaluationRefusal));
  if (attempt.retry || !alone) return { scope: "attempt", decision: attempt };
  const evaluation = decide(outcome.evaluationIssues, outcome.evaluationRefusal);
  return { scope: "evaluate", decision: evaluation.retry || !attempt.heldBack ? evaluation : attempt };
}

function sayHeldBack(context: ExecutionContext, reason: string): void {
  const message = `task=${context.task.task_id} attempt=${context.attempt} is not tried again: ${reason} (execution.retry_policy strict)`;
  context.log({ level: "INFO", source: "retry", message });
}

function sayRetry(context: ExecutionContext, { outcome, retry, delaySeconds }: Discarded, maxRetries: number): void {
  const issues = allIssues(outcome);
  const issue =
    issues.find(({ severity }) => severity === "fatal") ?? issues.find(({ severity }) => severity === "error");
  const why = issue ? `${issue.code}: ${issue.message}` : "no reason was kept";
  const message = `task=${context.task.task_id} attempt=${context.attempt} retry ${retry} of ${maxRetries} in ${delaySeconds.toFixed(1)} s: ${why}`;
  context.log({ level: "INFO", source: "retry", message });
}

async function waitForRetry(
  context: ExecutionContext,
  ports: AttemptPorts,
  discarded: Discarded,
  maxRetries: number,
): Promise<void> {
  const detail = await ports.keepDiscarded(discarded);
  sayRetry(context, discarded, maxRetries);
  context.emit({
    event: "attempt_retry",
    payload: {
      retry: discarded.retry,
      max_retries: maxRetries,
      retry_delay_seconds: discarded.delaySeconds,
      stage: discarded.stage,
      scope: discarded.scope,
      matched_pattern: discarded.matchedPattern,
      retry_detail: detail,
    },
  });
  context.emit({
    event: "phase_changed",
    phase: "retry_wait",
    payload: { retry: discarded.retry, retry_delay_seconds: discarded.delaySeconds },
  });
  await context.clock.sleep(discarded.delaySeconds * 1000, context.signal);
}

/** result.json of a finished attempt. */
export function toAttemptResult(finished: AttemptOutcome): AttemptResult {
  const { outcome } = finished;
  const issues = allIssues(outcome);
  const { run } = outcome.run;
  const telemetry = Object.keys(run.telemetry).length > 0 ? { telemetry: run.telemetry } : {};
  return {
    status: statusFromIssues(issues),
    metrics: issues.some((issue) => issue.severity === "fatal") ? {} : outcome.metrics,
    final_answer: run.final_answer,
    trajectory: (run.trajectory as Trajectory | null) ?? {},
    issues,
    artifacts: { ...run.artifacts, ...outcome.evaluationArtifacts },
    analysis_result: {},
    meta: { benchmark: outcome.benchmarkMeta, harness: telemetry },
    retry_count: finished.retryCount,
  };
}
