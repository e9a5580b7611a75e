import type { EnvironmentSession, Evaluation, PreparedTask } from "../plugin/index.ts";
import { parseMetrics } from "../result/index.ts";
import type { Issue } from "../result/issue.ts";
import { type ExecutionContext, type ExecutionOutcome, limitsOf, type RunOutcome } from "./context.ts";
import { gradeFailure, StageTimeout } from "./grade.ts";
import { refusalOf } from "./model-refusal.ts";
import { redactIssue } from "./redact-issue.ts";
import { runStage } from "./stage.ts";

/**
 * Scores what the harness left, under the evaluation's own time. Never throws but for cancellation: a benchmark that fails is
 * an issue, a timeout gives the metrics that the benchmark declared for it.
 */
export async function evaluateRun(
  context: ExecutionContext,
  prepared: PreparedTask,
  run: RunOutcome,
  session: EnvironmentSession | undefined,
): Promise<ExecutionOutcome> {
  context.emit({ event: "phase_changed", phase: "evaluate" });
  try {
    const evaluation = await callBenchmark(context, prepared, run, session);
    return {
      run,
      prepared,
      metrics: parseMetrics(context.benchmark.metrics, evaluation.metrics),
      evaluationIssues: (evaluation.issues ?? []).map((issue) => redactIssue(context, issue)),
      evaluationArtifacts: evaluation.artifacts ?? {},
      benchmarkMeta: evaluation.meta ?? {},
    };
  } catch (error) {
    context.signal.throwIfAborted();
    const timedOut = error instanceof StageTimeout;
    return {
      run,
      prepared,
      metrics: timedOut ? context.benchmark.evaluationTimeoutMetrics : {},
      evaluationIssues: [redactIssue(context, gradeFailure(error, "evaluate"))],
      evaluationRefusal: refusalOf(error, context.clock.now()),
      evaluationArtifacts: {},
      benchmarkMeta: {},
    };
  }
}

function callBenchmark(
  context: ExecutionContext,
  prepared: PreparedTask,
  run: RunOutcome,
  session: EnvironmentSession | undefined,
): Promise<Evaluation> {
  const limit = { what: "the evaluation", ...limitsOf(context).evaluation, graceMs: 10_000 };
  return runStage(limit, context.clock, context.signal, (signal) =>
    context.benchmark.doEvaluate({
      params: context.params.benchmark,
      task: context.task,
      prepared,
      run: { ...run.run, issues: run.issues },
      session,
      connectModel: context.connectModel,
      signal,
      log: context.log,
    }),
  );
}

/** The outcome of an execution that ended before it could be evaluated. */
export function unevaluated(run: RunOutcome, prepared: PreparedTask | undefined, more: Issue[] = []): ExecutionOutcome {
  return {
    run: { ...run, issues: [...run.issues, ...more] },
    prepared,
    metrics: {},
    evaluationIssues: [],
    evaluationArtifacts: {},
    benchmarkMeta: {},
  };
}
