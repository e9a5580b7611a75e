import { checkTask } from "../plan/index.ts";
import type { EnvironmentSession, PreparedTask } from "../plugin/index.ts";
import type { Issue } from "../result/issue.ts";
import { type ExecutionContext, type ExecutionOutcome, limitsOf, type RunOutcome } from "./context.ts";
import { evaluateRun, unevaluated } from "./evaluation.ts";
import { failedRun } from "./failed-run.ts";
import { gradeFailure } from "./grade.ts";
import { runHarness } from "./harness-run.ts";
import { redactIssue } from "./redact-issue.ts";
import { runStage } from "./stage.ts";
import { type TaskVariables, taskVariables, withVariables } from "./variables.ts";

const CLEANUP_GRACE_MS = 10_000;

/**
 * One execution of an attempt: open, prepare, run, collect, evaluate, close (reference 4.1). Whatever fails in it is an
 * issue of its outcome; only a cancellation is thrown, after the environment was closed.
 */
export async function runExecution(context: ExecutionContext): Promise<ExecutionOutcome> {
  context.emit({ event: "phase_changed", phase: "open_environment" });
  let session: EnvironmentSession;
  let variables: TaskVariables;
  try {
    variables = taskVariables(context);
    session = await openSession(context, variables.common);
  } catch (error) {
    return failedSetup(context, error, undefined);
  }
  const closing: Issue[] = [];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closeSession(context, session, closing);
    return closed;
  };
  const outcome = await inSession({ context, session, variables, close }).finally(close);
  return closing.length === 0 ? outcome : { ...outcome, evaluationIssues: [...outcome.evaluationIssues, ...closing] };
}

/** What an attempt is whose plan could not be made: nothing of it ran (reference 4.3). */
export function failedPlan(context: ExecutionContext, error: unknown): ExecutionOutcome {
  return failedSetup(context, error, undefined);
}

/** Evaluates again what an earlier execution left; only for evaluations that need no environment. */
export async function rerunEvaluation(
  context: ExecutionContext,
  prepared: PreparedTask,
  run: RunOutcome,
): Promise<ExecutionOutcome> {
  return evaluateRun(context, prepared, run, undefined);
}

type Opened = {
  readonly context: ExecutionContext;
  readonly session: EnvironmentSession;
  readonly variables: TaskVariables;
  /** Closes the session once, however often it is called. */
  readonly close: () => Promise<void>;
};

async function inSession({ context, session, variables, close }: Opened): Promise<ExecutionOutcome> {
  let prepared: PreparedTask;
  try {
    prepared = await prepareTask(context, session);
  } catch (error) {
    return failedSetup(context, error, undefined);
  }
  const run = await runHarness(context, withVariables(session, variables.run), prepared);
  if (run.issues.some((issue) => issue.severity === "fatal")) return unevaluated(run, prepared);
  if (context.plan.evaluation_environment_mode === "reuse")
    return evaluateRun(context, prepared, run, withVariables(session, variables.evaluation));
  context.emit({ event: "phase_changed", phase: "save_evaluation_checkpoint" });
  await context.saveCheckpoint({ run, prepared });
  await close();
  return evaluateRun(context, prepared, run, undefined);
}

/** Opening that is given up may end all the same: what it opened is closed, at once or when it comes. */
async function openSession(
  context: ExecutionContext,
  env: Readonly<Record<string, string>>,
): Promise<EnvironmentSession> {
  const { environment, plan } = context;
  checkTask(environment, plan);
  const what = `opening the ${environment.id} environment`;
  const limit = { what, ...limitsOf(context).build, graceMs: CLEANUP_GRACE_MS };
  const opening: { session?: EnvironmentSession; isGivenUp?: boolean } = {};
  try {
    return await runStage(limit, context.clock, context.signal, async (signal) => {
      opening.session = await callOpen(context, env, signal);
      if (opening.isGivenUp) await closeSession(context, opening.session, []);
      return opening.session;
    });
  } catch (error) {
    opening.isGivenUp = true;
    if (opening.session) await closeSession(context, opening.session, []);
    throw error;
  }
}

function callOpen(
  { environment, params, plan, request, attempt, log }: ExecutionContext,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<EnvironmentSession> {
  return environment.doOpen({
    params: params.environment,
    setup: plan.environment.setup,
    resources: plan.environment.resources,
    env,
    label: `${request.benchmark.id}-${attempt}`,
    ...(request.execution.keep_environment && { keep: true }),
    signal,
    log,
  });
}

function prepareTask(context: ExecutionContext, session: EnvironmentSession): Promise<PreparedTask> {
  context.emit({ event: "phase_changed", phase: "prepare_task" });
  context.signal.throwIfAborted();
  return context.benchmark.doPrepare({
    params: context.params.benchmark,
    task: context.task,
    session,
    signal: context.signal,
    log: context.log,
  });
}

function failedSetup(context: ExecutionContext, error: unknown, prepared: PreparedTask | undefined): ExecutionOutcome {
  context.signal.throwIfAborted();
  return unevaluated(failedRun(context, error, "setup"), prepared);
}

async function closeSession(context: ExecutionContext, session: EnvironmentSession, closing: Issue[]): Promise<void> {
  if (context.request.execution.keep_environment) return;
  const never = new AbortController().signal;
  try {
    const seconds = CLEANUP_GRACE_MS / 1000;
    const limit = { what: "closing the environment", seconds, source: "fixed; no option changes it", graceMs: 0 };
    await runStage(limit, context.clock, never, () => session.close());
  } catch (error) {
    closing.push(redactIssue(context, gradeFailure(error, "cleanup")));
  }
}
