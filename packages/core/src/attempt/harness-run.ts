import type { EnvironmentSession, HarnessRun, PreparedTask } from "../plugin/index.ts";
import { type ExecutionContext, limitsOf, type RunOutcome } from "./context.ts";
import { deadlineVariables, tellDeadline } from "./deadline.ts";
import { failedRun } from "./failed-run.ts";
import { gradeFailure } from "./grade.ts";
import { type LastCall, refusalOf, rememberLastCall } from "./model-refusal.ts";
import { redactIssue } from "./redact-issue.ts";
import { runStage } from "./stage.ts";
import { withVariables } from "./variables.ts";

const CLEANUP_GRACE_MS = 10_000;

/** Runs the agent under its watchdog, then collects what it left. Failures are issues of the outcome. */
export async function runHarness(
  context: ExecutionContext,
  session: EnvironmentSession,
  prepared: PreparedTask,
): Promise<RunOutcome> {
  context.emit({ event: "phase_changed", phase: "start_harness" });
  context.emit({ event: "phase_changed", phase: "run_harness" });
  const { run_timeout_seconds: seconds } = context.plan;
  const deadlineAt = seconds === null ? undefined : context.clock.now() + seconds * 1000;
  const told = seconds !== null && context.request.execution.tell_deadline ? tellDeadline(prepared, seconds) : prepared;
  const timed = withVariables(session, deadlineVariables(deadlineAt));
  const outcome = await runUnderWatchdog(context, timed, told, deadlineAt);
  context.emit({ event: "phase_changed", phase: "collect_harness_result" });
  return collect(context, session, prepared, outcome);
}

async function runUnderWatchdog(
  context: ExecutionContext,
  session: EnvironmentSession,
  prepared: PreparedTask,
  deadlineAt: number | undefined,
): Promise<RunOutcome> {
  const last: LastCall = {};
  const limit = { what: "the run", ...limitsOf(context).run, graceMs: CLEANUP_GRACE_MS };
  try {
    const run = await runStage(limit, context.clock, context.signal, (signal) =>
      callHarness(context, { session, prepared, deadlineAt, last, signal }),
    );
    const issues = run.issues.map((issue) => redactIssue(context, issue));
    return { run, issues, failed: false, refusal: last.refusal };
  } catch (error) {
    context.signal.throwIfAborted();
    return { ...failedRun(context, error, "run"), refusal: refusalOf(error, context.clock.now()) ?? last.refusal };
  }
}

type HarnessCall = {
  readonly session: EnvironmentSession;
  readonly prepared: PreparedTask;
  readonly deadlineAt: number | undefined;
  readonly last: LastCall;
  readonly signal: AbortSignal;
};

function callHarness(context: ExecutionContext, call: HarnessCall): Promise<HarnessRun> {
  const { benchmark, params, task, clock, log, model } = context;
  const { session, prepared, signal } = call;
  const solve = benchmark.doSolve?.bind(benchmark);
  return context.harness.doRun({
    params: params.harness,
    prepared,
    session,
    modelSpec: context.request.model,
    model: model && rememberLastCall(model, call.last, () => clock.now()),
    applyReference: solve && (() => solve({ params: params.benchmark, task, session, prepared, signal, log })),
    deadlineAt: call.deadlineAt,
    clock,
    signal,
    log,
  });
}

/** What a harness picks up after its run, also after one that was stopped; issues and telemetry of the run stay. */
async function collect(
  context: ExecutionContext,
  session: EnvironmentSession,
  prepared: PreparedTask,
  outcome: RunOutcome,
): Promise<RunOutcome> {
  const { harness, params, clock, log } = context;
  if (!harness.doCollect || outcome.issues.some((issue) => issue.severity === "fatal")) return outcome;
  const limit = { what: "collecting the run's result", ...limitsOf(context).collect, graceMs: CLEANUP_GRACE_MS };
  try {
    const found = await runStage(
      limit,
      clock,
      context.signal,
      async (signal) =>
        await harness.doCollect?.({ params: params.harness, prepared, session, run: outcome.run, clock, signal, log }),
    );
    const artifacts = { ...outcome.run.artifacts, ...found?.artifacts };
    return { ...outcome, run: { ...outcome.run, ...found, artifacts } };
  } catch (error) {
    context.signal.throwIfAborted();
    const issue = redactIssue(context, gradeFailure(error, "collect"));
    return { ...outcome, issues: [...outcome.issues, issue], failed: true };
  }
}
