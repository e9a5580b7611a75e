import { retryReason } from "../attempt/index.ts";
import { AgentCompassError } from "../error.ts";
import type { TaskSpec } from "../plugin/index.ts";
import type { BlobStore } from "../port/index.ts";
import {
  attemptDirectory,
  attemptResultDocument,
  isPlainObject,
  PUBLISHED_STATES,
  prettyJson,
  publishedTaskDocument,
  RUN_FILES,
  runningTaskDocument,
  stateOfSeverity,
  taskKey,
} from "../record/index.ts";
import type { AttemptResult, TaskResult } from "../result/attempt-result.ts";
import { worstSeverity } from "../result/issue.ts";
import type { AttemptPlan } from "../result/metric-contract.ts";
import type { ResolvedRequest } from "../spec/resolved.ts";
import type { PendingTask } from "./request-run.ts";
import { readUnevaluated } from "./resume.ts";
import { scopedStore } from "./scoped-store.ts";
import { readJson, readRunInfo, readStoredTasks, type StoredTask } from "./stored-run.ts";

export type ReuseSource = {
  readonly runId: string;
  readonly store: BlobStore;
  readonly path: string;
  /** `resolved_execution_plans` of its run_info.json. */
  readonly plans: Readonly<Record<string, unknown>>;
};

/**
 * Finds the run to take results from: the named one, else the newest of the namespace. Undefined when there is none. Throws
 * when a named run does not exist or does not fit (another benchmark, other attempts).
 */
export async function findReuseSource(
  results: BlobStore,
  namespace: string,
  request: ResolvedRequest,
): Promise<ReuseSource | undefined> {
  if (!request.runtime.reuse) return undefined;
  const named = request.runtime.reuse_run_id;
  const runId = named || (await newestRun(results, namespace));
  if (!runId) return undefined;
  const store = scopedStore(results, `${namespace}/${runId}`);
  if (named && !(await store.get(RUN_FILES.runInfo)))
    throw new AgentCompassError(
      "spec.invalid",
      `runtime.reuse_run_id: no run '${named}' in ${results.locate(namespace)}`,
      { data: { runId: named } },
    );
  const info = await readRunInfo(store);
  checkFits(info, request, store.locate(RUN_FILES.runInfo));
  const plans = info["resolved_execution_plans"];
  return {
    runId,
    store,
    path: results.locate(`${namespace}/${runId}`),
    plans: isPlainObject(plans) ? plans : {},
  };
}

async function newestRun(results: BlobStore, namespace: string): Promise<string | undefined> {
  const found: { runId: string; startedAt: string }[] = [];
  for (const runId of await results.children(namespace)) {
    const info = await readJson(results, `${namespace}/${runId}/${RUN_FILES.runInfo}`);
    if (isPlainObject(info)) found.push({ runId, startedAt: String(info["started_at"] ?? "") });
  }
  found.sort((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
  return found.at(-1)?.runId;
}

function checkFits(info: Record<string, unknown>, request: ResolvedRequest, where: string): void {
  const stored = isPlainObject(info["request"]) ? info["request"] : {};
  const benchmark = isPlainObject(stored["benchmark"]) ? stored["benchmark"]["id"] : undefined;
  const execution = isPlainObject(stored["execution"]) ? stored["execution"] : {};
  const attempts = isPlainObject(execution["attempts"]) ? execution["attempts"] : {};
  const { k, strategy } = request.execution.attempts;
  if (benchmark !== request.benchmark.id)
    throw refusal(where, `benchmark is ${JSON.stringify(benchmark)}, this request's is '${request.benchmark.id}'`);
  if (attempts["k"] !== k || attempts["strategy"] !== strategy)
    throw refusal(
      where,
      `attempts are ${JSON.stringify(attempts)}, this request's are {k: ${k}, strategy: ${strategy}}`,
    );
}

function refusal(where: string, reason: string): AgentCompassError {
  return new AgentCompassError("spec.invalid", `runtime.reuse: ${where} cannot be reused: ${reason}`);
}

export type Reused = {
  /** Tasks that are done, copied into the new run. */
  readonly done: StoredTask[];
  readonly pending: PendingTask[];
};

export type ReuseAsk = {
  readonly source: ReuseSource | undefined;
  readonly target: BlobStore;
  readonly tasks: readonly TaskSpec[];
  readonly request: ResolvedRequest;
  readonly primaryMetric: string;
};

/** Copies what the source has of the selected tasks; the source itself is only read. */
export async function reuseResults(ask: ReuseAsk): Promise<Reused> {
  const stored = new Map<string, StoredTask>();
  if (ask.source) for (const task of await readStoredTasks(ask.source.store)) stored.set(task.result.task_id, task);
  const done: StoredTask[] = [];
  const pending: PendingTask[] = [];
  for (const [index, task] of ask.tasks.entries()) {
    const found = stored.get(task.task_id);
    if (!found || !ask.source) pending.push({ task, index, kept: undefined });
    else if (isWhole(found, ask)) done.push(await copyDone(ask, ask.source, task, found));
    else pending.push({ task, index, kept: await copyPart(ask, ask.source, found) });
  }
  return { done, pending };
}

/** Nothing of the task is left to run: all attempts are there (or `pass` stopped), and none is to be retried. */
function isWhole(found: StoredTask, ask: ReuseAsk): boolean {
  const { attempts } = found.result;
  if (Object.keys(attempts).length === 0) return false;
  if (Object.values(attempts).some((result) => isRetried(result, ask.request))) return false;
  const { k, strategy } = ask.request.execution.attempts;
  // A published task has all its attempts, unless a file of one was lost.
  if ((found.published && found.unfinished.length === 0) || Object.keys(attempts).length >= k) return true;
  return strategy === "pass" && Object.values(attempts).some((result) => result.metrics[ask.primaryMetric] === true);
}

function isRetried(result: AttemptResult, request: ResolvedRequest): boolean {
  const { max_retries, retry_pattern_list } = request.execution;
  return max_retries > 0 && retryReason(result.issues, retry_pattern_list) !== undefined;
}

async function copyDone(ask: ReuseAsk, source: ReuseSource, task: TaskSpec, found: StoredTask): Promise<StoredTask> {
  const plan: AttemptPlan = ask.request.execution.attempts;
  const result: TaskResult = { ...found.result, category: task.category, ground_truth: task.ground_truth };
  const state = stateOfSeverity(worstSeverity(Object.values(result.attempts).flatMap((one) => one.issues)));
  const key = taskKey(state, task.task_id);
  for (const attempt of Object.keys(result.attempts)) await copyAttempt(ask, source, found, Number(attempt), key);
  const document = publishedTaskDocument(result, plan);
  await ask.target.put(`${key}/task.json`, prettyJson(document));
  return { ...found, state, key, published: true, result };
}

async function copyPart(ask: ReuseAsk, source: ReuseSource, found: StoredTask): Promise<PendingTask["kept"]> {
  const key = taskKey("running", found.result.task_id);
  const attempts = new Set<number>();
  for (const [attempt, result] of Object.entries(found.result.attempts)) {
    if (isRetried(result, ask.request)) continue;
    await copyAttempt(ask, source, found, Number(attempt), key);
    attempts.add(Number(attempt));
  }
  const unevaluated = await readUnevaluated(source.store, found, ask.request);
  if (attempts.size > 0)
    await ask.target.put(`${key}/task.json`, prettyJson(runningTaskDocument(found.result.task_id, [...attempts])));
  return { attempts, result: found.result, unevaluated };
}

/** Copies one attempt; its result says where it came from and starts without retries. */
async function copyAttempt(
  ask: ReuseAsk,
  source: ReuseSource,
  found: StoredTask,
  attempt: number,
  key: string,
): Promise<void> {
  const from = `${found.key}/${attemptDirectory(attempt)}`;
  const to = `${key}/${attemptDirectory(attempt)}`;
  const result = found.result.attempts[String(attempt)];
  if (!result) return;
  const copied: AttemptResult = {
    ...result,
    artifacts: {
      ...result.artifacts,
      reuse_history: { source_run: source.path, retry_count: result.retry_count },
    },
    retry_count: 0,
  };
  for (const name of ["checkpoint.json", "measurement.json"]) {
    const bytes = await source.store.get(`${from}/${name}`);
    if (bytes) await ask.target.put(`${to}/${name}`, relocated(bytes, key));
  }
  await ask.target.put(`${to}/result.json`, prettyJson(attemptResultDocument(copied)), { durable: true });
}

/** Stored `directory` paths follow the task to its new place. */
function relocated(bytes: Uint8Array, to: string): string {
  const name = to.slice(to.lastIndexOf("/") + 1);
  return (["running", ...PUBLISHED_STATES] as const).reduce(
    (text, state) => text.replaceAll(`"directory": "details/${state}/${name}/`, `"directory": "${to}/`),
    new TextDecoder().decode(bytes),
  );
}
