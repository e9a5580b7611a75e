import type { AttemptStart } from "../attempt/index.ts";
import type { TaskSpec } from "../plugin/index.ts";
import { prettyJson, publishedTaskDocument, runningTaskDocument, stateOfSeverity, taskKey } from "../record/index.ts";
import type { AttemptResult, TaskResult } from "../result/attempt-result.ts";
import { worstSeverity } from "../result/issue.ts";
import type { AttemptPlan, MetricContract } from "../result/metric-contract.ts";
import type { ResolvedOrchestration } from "../spec/resolved.ts";
import { type FinishedAttempt, finishCheckpoint, runAndWriteAttempt } from "./attempt-run.ts";
import { fatalEndOf, type TaskEnd } from "./breaker.ts";
import type { EngineDeps } from "./deps.ts";
import { startOfKept } from "./kept.ts";
import type { PendingTask, RequestRun } from "./request-run.ts";
import { withoutTrajectory } from "./task-view.ts";

export type TaskRunAsk = {
  readonly orchestration: ResolvedOrchestration;
  readonly deps: EngineDeps;
  readonly run: RequestRun;
  readonly pending: PendingTask;
  readonly signal: AbortSignal;
  /** Called once the last attempt has run and only writing is left; may be called again. */
  readonly onExecuted: () => void;
};

/**
 * Runs every attempt of a task and publishes it; returns how it ended. Throws only for a cancellation or when results cannot
 * be written.
 */
export async function runTask(ask: TaskRunAsk): Promise<TaskEnd> {
  const { run, pending } = ask;
  const { task, index } = pending;
  const total = run.loaded.tasks.length;
  run.recorder.emit({ event: "task_started", ...about(task), payload: { index, total } });
  const finished = await runAttempts(ask);
  ask.onExecuted();
  run.recorder.emit({ event: "phase_changed", ...about(task), phase: "save_partial" });
  const result = await publish(ask, finished);
  run.recorder.emit({ event: "partial_saved", ...about(task) });
  run.results.push(withoutTrajectory(result));
  const severity = worstSeverity(Object.values(result.attempts).flatMap((attempt) => attempt.issues));
  run.recorder.emit({
    event: "task_finished",
    ...about(task),
    status: severity === "fatal" ? "failed" : "completed",
    payload: { index, total, severity: severity ?? "" },
  });
  const calls = [...finished.values()].reduce((sum, attempt) => sum + attempt.calls, 0);
  return { calls, reached: run.contact.reached > 0, fatal: fatalEndOf(result) };
}

function about(task: TaskSpec): { task_id: string; category: string | null } {
  return { task_id: task.task_id, category: task.category };
}

async function runAttempts(ask: TaskRunAsk): Promise<Map<number, FinishedAttempt>> {
  const { checked } = ask.run;
  const { k, strategy } = checked.request.execution.attempts;
  const finished = keptAttempts(ask.pending);
  const started: number[] = [...finished.keys()];
  let listed: Promise<void> = Promise.resolve();
  let left = k - finished.size;
  const onExecuted = (): void => {
    left -= 1;
    if (left === 0) ask.onExecuted();
  };
  const one = async (attempt: number, signal = ask.signal): Promise<void> => {
    started.push(attempt);
    // One after the other: a file that lists fewer attempts must never come last, or reuse would miss the others.
    listed = listed.then(() => writeRunning(ask, started));
    finished.set(
      attempt,
      await runAndWriteAttempt({
        ...ask,
        task: ask.pending.task,
        attempt,
        start: startOf(ask, attempt),
        signal,
        listed,
        onExecuted,
      }),
    );
  };
  const missing = Array.from({ length: k }, (_, offset) => offset + 1).filter((attempt) => !finished.has(attempt));
  const parallel = strategy === "avg" && checked.benchmark.parallelAttemptsSafe && checked.harness.parallelAttemptsSafe;
  if (parallel && missing.length > 1) {
    await allOrFirstFailure(ask.signal, missing, one);
    return finished;
  }
  for (const attempt of missing) {
    if (strategy === "pass" && stopsHere(finished, checked.benchmark.metrics)) break;
    await one(attempt);
  }
  return finished;
}

/**
 * The first failure stops the other attempts, whose results could not be written either; all end before it is thrown, so that
 * nothing goes on behind it. Each attempt has a signal of its own: one signal for hundreds would have too many listeners.
 */
async function allOrFirstFailure(
  outer: AbortSignal,
  attempts: readonly number[],
  run: (attempt: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const one = async (attempt: number): Promise<void> => {
    try {
      await run(attempt, AbortSignal.any([outer, failure.signal]));
    } catch (error) {
      failure.abort(error);
      throw error;
    }
  };
  const settled = await Promise.allSettled(attempts.map(one));
  const failed = settled.find((entry) => entry.status === "rejected");
  if (failed) throw failed.reason;
}

function keptAttempts(pending: PendingTask): Map<number, FinishedAttempt> {
  const kept = new Map<number, FinishedAttempt>();
  for (const attempt of pending.kept?.attempts ?? []) {
    const result = pending.kept?.result.attempts[String(attempt)];
    if (result) kept.set(attempt, { result, calls: 0, section: undefined });
  }
  return kept;
}

function startOf(ask: TaskRunAsk, attempt: number): AttemptStart {
  const evaluateOnly = ask.pending.kept?.unevaluated.get(attempt);
  if (evaluateOnly) return { evaluateOnly };
  const discarded = ask.pending.kept?.result.attempts[String(attempt)];
  return discarded ? startOfKept(discarded) : {};
}

/** `pass` stops after an attempt whose primary metric is exactly true and that no fatal issue or interruption spoiled. */
function stopsHere(finished: ReadonlyMap<number, FinishedAttempt>, metrics: MetricContract): boolean {
  const primary = metrics.find((metric) => metric.primary)?.id ?? "correct";
  return [...finished.values()].some(({ result }) => result.metrics[primary] === true && !spoiled(result));
}

function spoiled(result: AttemptResult): boolean {
  const interrupted = result.status === "cancelled" || result.status === "interrupted" || result.status === "skipped";
  return interrupted || result.issues.some((issue) => issue.severity === "fatal");
}

async function writeRunning(ask: TaskRunAsk, attempts: readonly number[]): Promise<void> {
  const { run, pending } = ask;
  const document = runningTaskDocument(pending.task.task_id, attempts);
  await run.store.put(`${taskKey("running", pending.task.task_id)}/task.json`, prettyJson(document));
}

/**
 * Publishes: the shared keys are written into task.json, then the directory moves to its state. A crash in between leaves
 * either a running task with whole attempts or a published one.
 */
async function publish(ask: TaskRunAsk, finished: ReadonlyMap<number, FinishedAttempt>): Promise<TaskResult> {
  const { run, pending } = ask;
  const { task } = pending;
  const plan: AttemptPlan = run.checked.request.execution.attempts;
  const result: TaskResult = {
    task_id: task.task_id,
    category: task.category,
    ground_truth: task.ground_truth,
    attempts: Object.fromEntries([...finished].map(([attempt, one]) => [String(attempt), one.result])),
  };
  const state = stateOfSeverity(worstSeverity([...finished.values()].flatMap((one) => one.result.issues)));
  const running = taskKey("running", task.task_id);
  for (const [attempt, one] of finished) {
    if (pending.kept?.attempts.has(attempt)) continue;
    await finishCheckpoint({ run, task, attempt }, one.section, state);
  }
  // Its results are on the disk. Should a crash bring the former document back, the task is found as one that still runs.
  await run.store.put(`${running}/task.json`, prettyJson(publishedTaskDocument(result, plan)), { durable: "whole" });
  await run.store.move(running, taskKey(state, task.task_id));
  return result;
}
