import {
  type AttemptOutcome,
  type AttemptPorts,
  type EvaluationCheckpoint,
  type ExecutionContext,
  failedPlan,
  type ModelMeter,
  measureModel,
  newModelMeter,
  runAttempt,
  toAttemptResult,
} from "../attempt/index.ts";
import { applyRecipes, buildExecutionPlan, type ExecutionPlan } from "../plan/index.ts";
import { attemptDirectory, attemptResultDocument, prettyJson, type TaskState, taskKey } from "../record/index.ts";
import type { AttemptResult } from "../result/attempt-result.ts";
import { type Measurement, measurementDocument } from "../result/index.ts";
import { interpolateTaskEnv } from "../spec/index.ts";
import type { AttemptRunAsk } from "./attempt-ask.ts";
import { holdAttemptPermit } from "./attempt-permit.ts";
import { evaluationSection } from "./checkpoint.ts";
import { keepDiscarded } from "./discarded-execution.ts";
import { connectEvaluationModel } from "./evaluation-model.ts";
import type { RequestRun } from "./request-run.ts";
import { createWriteBehind } from "./write-behind.ts";

/** A finished attempt, the model calls that it made in this run, and what its checkpoint holds (empty for a fatal one). */
export type FinishedAttempt = {
  readonly result: AttemptResult;
  readonly calls: number;
  readonly section: object | undefined;
};

/** Runs one attempt and writes its result durably; the attempt counts as finished only after that. */
export async function runAndWriteAttempt(ask: AttemptRunAsk): Promise<FinishedAttempt> {
  const { run, task, attempt } = ask;
  const meter = newModelMeter();
  const judgeMeter = newModelMeter();
  const key = `${taskKey("running", task.task_id)}/${attemptDirectory(attempt)}`;
  let saved: EvaluationCheckpoint | undefined;
  emit(ask, { event: "attempt_started" });
  emit(ask, { event: "phase_changed", phase: "plan" });
  const { plan, failure } = planAttempt(ask);
  const behind = createWriteBehind(ask.signal);
  behind.add(() => ask.listed);
  const save = async (checkpoint: EvaluationCheckpoint): Promise<void> => {
    saved = checkpoint;
    // For the place where nearly every task ends: most checkpoints are then written once. A resume looks into none of its paths.
    behind.add(() => run.store.put(`${key}/checkpoint.json`, checkpointText(ask, checkpoint, "normal")));
  };
  const context = createContext({ ...ask, signal: behind.signal }, plan, { agent: meter, judge: judgeMeter }, save);
  const left = ask.start.evaluateOnly;
  if (left?.prepared) {
    emit(ask, { event: "phase_changed", phase: "recover_evaluation" });
    await save({ run: left.run, prepared: left.prepared });
  }
  const execute = async (): Promise<AttemptOutcome> => {
    if (failure) return { outcome: failedPlan(context, failure.error), retryCount: 0, waitingMs: 0, workingMs: 0 };
    const ports: AttemptPorts = {
      hold: (generation, signal) => holdAttemptPermit(ask, generation, signal),
      keepDiscarded: (item) => keepDiscarded(ask, plan, item),
    };
    return runAttempt(context, ports, ask.start);
  };
  const finished = await execute().finally(ask.onExecuted).finally(behind.settled);
  await behind.done();
  const result = toAttemptResult(finished);
  const measurement = {
    task_id: task.task_id,
    attempt,
    waiting_ms: finished.waitingMs,
    working_ms: finished.workingMs,
    calls: meter.calls,
    latency_ms: meter.latencyMs,
    usage: meter.usage,
    ...(judgeMeter.calls > 0 && { judge: judgeUsage(judgeMeter) }),
  };
  run.measurements.push(measurement);
  await run.store.put(`${key}/measurement.json`, prettyJson(measurementDocument(measurement)));
  await run.store.put(`${key}/result.json`, prettyJson(attemptResultDocument(result)), { durable: true });
  run.issueLog.say(task.task_id, attempt, result);
  const fatal = result.issues.some((issue) => issue.severity === "fatal");
  emit(ask, { event: "attempt_finished", status: fatal ? "failed" : "completed", payload: spent(measurement) });
  return { result, calls: meter.calls, section: saved && !fatal ? saved : undefined };
}

function judgeUsage({ calls, latencyMs, usage }: ModelMeter): NonNullable<Measurement["judge"]> {
  return { calls, latency_ms: latencyMs, usage };
}

/** What an attempt cost, for live totals: the agent's model, not a judge. */
function spent(measurement: Measurement): Readonly<Record<string, number | null>> {
  const { usage } = measurement;
  return {
    waiting_seconds: measurement.waiting_ms / 1000,
    working_seconds: measurement.working_ms / 1000,
    tokens: usage.prompt_tokens + usage.completion_tokens,
    cost_usd: usage.cost_usd,
  };
}

/** Writes checkpoint.json for the state that the task of a finished attempt ends in, where it does not stand yet. */
export async function finishCheckpoint(
  ask: Pick<AttemptRunAsk, "run" | "task" | "attempt">,
  section: object | undefined,
  state: PublishedState,
): Promise<void> {
  if (section && state === "normal") return;
  const directory = `${taskKey("running", ask.task.task_id)}/${attemptDirectory(ask.attempt)}`;
  await ask.run.store.put(`${directory}/checkpoint.json`, checkpointText(ask, section, state));
}

type PublishedState = Exclude<TaskState, "running">;

/** checkpoint.json of an attempt whose task will be in `state`. */
function checkpointText(
  ask: Pick<AttemptRunAsk, "run" | "task" | "attempt">,
  saved: object | undefined,
  state: PublishedState,
): string {
  const { run, task, attempt } = ask;
  const directory = `${taskKey(state, task.task_id)}/${attemptDirectory(attempt)}/artifacts`;
  return prettyJson(
    evaluationSection(saved as EvaluationCheckpoint | undefined, { task, attempt, runId: run.runId, directory }),
  );
}

function emit(ask: AttemptRunAsk, facts: Parameters<RequestRun["recorder"]["emit"]>[0]): void {
  const { task, attempt, run } = ask;
  run.recorder.emit({ task_id: task.task_id, category: task.category, attempt, ...facts });
}

type Planned = { readonly plan: ExecutionPlan; readonly failure?: { readonly error: unknown } };

/** The plan after its recipes. One that a recipe spoils fails its own task: the plan without recipes stands for it. */
function planAttempt(ask: AttemptRunAsk): Planned {
  const { checked } = ask.run;
  const built = buildExecutionPlan({ ...checked, task: ask.task });
  try {
    return { plan: keepPlan(ask, applyRecipes(built, { ...checked, task: ask.task })) };
  } catch (error) {
    return { plan: keepPlan(ask, built), failure: { error } };
  }
}

function keepPlan(ask: AttemptRunAsk, built: ExecutionPlan): ExecutionPlan {
  const { run, task, attempt } = ask;
  const { info } = run;
  const plan = shared(info.plans, built);
  const attempts = info.plans.get(task.task_id) ?? new Map<number, ExecutionPlan>();
  info.plans.set(task.task_id, attempts.set(attempt, plan));
  if (hasDoubled(info.plans.size)) run.infoWriter.touch();
  emit(ask, { event: "execution_plan_resolved", phase: "plan", payload: plan });
  return plan;
}

/** run_info.json holds the plan of every task: rewritten at each doubling, all its rewrites together cost no more than the last. */
function hasDoubled(tasks: number): boolean {
  return (tasks & (tasks - 1)) === 0;
}

/** Most tasks of a benchmark have the same plan: one object serves them, so that memory stays flat. */
function shared(plans: RequestRun["info"]["plans"], plan: ExecutionPlan): ExecutionPlan {
  const first = plans.values().next().value?.values().next().value;
  return first && textOfPlan(first) === JSON.stringify(plan) ? first : plan;
}

const planTexts = new WeakMap<ExecutionPlan, string>();

function textOfPlan(plan: ExecutionPlan): string {
  const text = planTexts.get(plan) ?? JSON.stringify(plan);
  planTexts.set(plan, text);
  return text;
}

function createContext(
  ask: AttemptRunAsk,
  plan: ExecutionPlan,
  meters: { readonly agent: ModelMeter; readonly judge: ModelMeter },
  saveCheckpoint: ExecutionContext["saveCheckpoint"],
): ExecutionContext {
  const { run, deps, task, attempt } = ask;
  return {
    ...run.checked,
    model: run.model && measureModel(run.model, run.contact, meters.agent),
    connectModel: connectEvaluationModel(ask, meters.judge),
    task,
    attempt,
    plan,
    clock: deps.clock,
    random: deps.random,
    log: run.recorder.log,
    redact: run.redact,
    emit: (facts) => emit(ask, facts),
    taskEnv: (map, placeOf) => interpolateTaskEnv(map, deps.env, placeOf),
    saveCheckpoint,
    signal: ask.signal,
  };
}
