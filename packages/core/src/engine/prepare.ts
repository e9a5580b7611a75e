import { newModelContact } from "../attempt/index.ts";
import { AgentCompassError, errorText, firstLine } from "../error.ts";
import type { ExecutionPlan } from "../plan/index.ts";
import type { LoadedTasks, TaskSpec } from "../plugin/index.ts";
import type { BlobStore, LogLevel } from "../port/index.ts";
import { isoSeconds, isPlainObject, RUN_FILES, runIdFromTime, sortedJson } from "../record/index.ts";
import { trimBlanks } from "../result/category.ts";
import { hiddenTexts, outputNamespace, priceOf, queryValues, redactText, runDirectoryName } from "../spec/index.ts";
import type { ModelSpec, ResolvedOrchestration, ResolvedRequest } from "../spec/resolved.ts";
import type { EngineDeps } from "./deps.ts";
import { createIssueLog } from "./issue-log.ts";
import type { Checked } from "./preflight.ts";
import { openProbeSession } from "./probe-session.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { RequestRun } from "./request-run.ts";
import { findReuseSource, type Reused, type ReuseSource, reuseResults } from "./reuse.ts";
import { paramsDocument, type RunInfo, runInfoDocument } from "./run-info.ts";
import { scopedStore } from "./scoped-store.ts";
import { Stopped } from "./stopped.ts";
import { withoutTrajectory } from "./task-view.ts";
import { createWriter, LARGE_VIEW_INTERVAL_MS } from "./writer.ts";

export type PrepareAsk = {
  readonly orchestration: ResolvedOrchestration;
  readonly checked: Checked;
  readonly deps: EngineDeps;
  readonly signal: AbortSignal;
};

/**
 * Makes one request ready to run: tasks loaded and selected, earlier results found, then the run directory reserved and its
 * first files written. Nothing is written before the data is known to be there.
 */
export async function prepareRequest(ask: PrepareAsk): Promise<RequestRun> {
  const { orchestration, checked, deps } = ask;
  const { request } = checked;
  const results = deps.results(orchestration.runtime.results_dir);
  const namespace = outputNamespace(request);
  const loaded = await loadTasks(ask);
  const source = await findReuseSource(results, namespace, request);
  const runId = await reserveRun(results, namespace, request, deps);
  const prefix = `${namespace}/${runId}`;
  const store = scopedStore(results, prefix);
  const redact = (text: string): string => redactText(text, { secrets: secretsOf(request), env: deps.env });
  const recorder = openRecorder(ask, store, runId, redact);
  const info = newRunInfo(ask, loaded, runId, source);
  const writeInfo = (): Promise<void> => store.put(RUN_FILES.runInfo, sortedJson(runInfoDocument(info)));
  const infoWriter = createWriter(deps.clock, writeInfo, LARGE_VIEW_INTERVAL_MS);
  const opened = { checked, runId, prefix, store, recorder, info, infoWriter, loaded, contact: info.contact, redact };
  try {
    return { ...opened, ...(await fillRun(ask, opened, source)) };
  } catch (error) {
    await endUnprepared(ask, opened, error);
    throw error;
  }
}

type OpenedRun = Pick<RequestRun, "runId" | "store" | "recorder" | "info" | "infoWriter" | "loaded" | "redact">;
type RunContent = Pick<RequestRun, "issueLog" | "model" | "pending" | "results" | "measurements" | "dropped">;

/** Writes the run's first files and takes over what an earlier run left. */
async function fillRun(ask: PrepareAsk, run: OpenedRun, source: ReuseSource | undefined): Promise<RunContent> {
  const { request } = ask.checked;
  const { store, info, recorder, loaded } = run;
  await store.put(RUN_FILES.runInfo, sortedJson(runInfoDocument(info)), { durable: true });
  await store.put(RUN_FILES.params, sortedJson(paramsDocument(request, run.runId)));
  announce(ask, recorder, loaded, store);
  const reused = await reuse(ask, store, loaded, source);
  takePlans(info, reused, source);
  announceReuse(recorder, reused, source, request);
  return {
    issueLog: createIssueLog(recorder.log),
    model: await createModel(ask, store),
    pending: [...reused.pending],
    results: reused.done.map((task) => withoutTrajectory(task.result)),
    measurements: reused.done.flatMap((task) => [...task.measurements]),
    dropped: 0,
  };
}

/** A directory that nobody will write to again says so, else its run would look as if it went on for ever. */
async function endUnprepared(ask: PrepareAsk, run: OpenedRun, error: unknown): Promise<void> {
  const { reason } = ask.signal;
  const status = reason instanceof Stopped ? reason.kind : "failed";
  const text = run.redact(firstLine(errorText(error)));
  run.info.terminal = { status, finishedAt: isoSeconds(ask.deps.clock, ask.deps.clock.now()), error: text };
  run.recorder.emit({ event: "run_finished", status, payload: { error: text } });
  // What keeps the run from being prepared may keep its end from being written: the first error is the one to report.
  await Promise.allSettled([run.infoWriter.finish(), run.recorder.finish()]);
}

async function loadTasks(ask: PrepareAsk): Promise<LoadedTasks> {
  const { checked, deps, orchestration } = ask;
  const loaded = await checked.benchmark.doLoad({
    params: checked.params.benchmark,
    dataDir: deps.dataDirectory(orchestration.runtime.data_dir),
    environment: checked.environment,
    openSession: () => openProbeSession(checked, deps, ask.signal),
    signal: ask.signal,
    log: deps.onLog,
  });
  if (loaded.tasks.length === 0)
    throw new AgentCompassError(
      "benchmark.empty",
      `benchmark '${checked.request.benchmark.id}' has no tasks in ${loaded.provenance.source}; check sample_ids, limit and the data`,
    );
  checkTaskIds(loaded.tasks, checked.request.benchmark.id);
  return loaded;
}

function checkTaskIds(tasks: readonly TaskSpec[], benchmark: string): void {
  const seen = new Set<string>();
  for (const { task_id } of tasks) {
    const isBlank = task_id === "" || trimBlanks(task_id) !== task_id;
    if (isBlank || seen.has(task_id))
      throw new AgentCompassError(
        "benchmark.data_invalid",
        `benchmark '${benchmark}': task id ${JSON.stringify(task_id)} ${isBlank ? "is empty or has blanks around it" : "is there twice"}`,
      );
    seen.add(task_id);
  }
}

/** Reserves the run's directory: the given id, or the first free second within a minute. */
async function reserveRun(
  results: BlobStore,
  namespace: string,
  request: ResolvedRequest,
  deps: EngineDeps,
): Promise<string> {
  if (request.output.run_id !== "") {
    const given = runDirectoryName(request.output.run_id);
    await results.reserve(`${namespace}/${given}`);
    return given;
  }
  const startedAt = deps.clock.now();
  for (let second = 0; ; second += 1) {
    const runId = runIdFromTime(deps.clock, startedAt + second * 1000);
    try {
      await results.reserve(`${namespace}/${runId}`);
      return runId;
    } catch (error) {
      if (second >= 60 || !AgentCompassError.isInstance(error) || error.code !== "run.exists") throw error;
    }
  }
}

function openRecorder(ask: PrepareAsk, store: BlobStore, runId: string, redact: (text: string) => string): Recorder {
  const { orchestration, checked, deps } = ask;
  return createRecorder({
    store,
    clock: deps.clock,
    origin: {
      run_id: runId,
      orchestration_id: orchestration.orchestration_id,
      request_key: checked.request.key,
      request_name: checked.request.name,
      request_index: checked.request.index,
    },
    onEvent: deps.onEvent,
    onLog: (record) => deps.onLog({ ...record, message: redact(record.message) }),
    fileLevel: orchestration.runtime.file_log_level as LogLevel,
  });
}

function newRunInfo(ask: PrepareAsk, loaded: LoadedTasks, runId: string, source: ReuseSource | undefined): RunInfo {
  const { deps, checked } = ask;
  return {
    runId,
    startedAt: isoSeconds(deps.clock, deps.clock.now()),
    request: withReuse(checked.request, source),
    version: deps.version,
    data: loaded.provenance,
    componentFiles: deps.catalog.files ?? [],
    contact: newModelContact(),
    price: priceOf(ask.orchestration.prices, checked.request.model.id),
    plans: new Map(),
    ...(source && { reusedFrom: { run_id: source.runId, path: source.path } }),
  };
}

/** What is recorded is what happened: without a source to reuse the run is a fresh one. */
function withReuse(request: ResolvedRequest, source: ReuseSource | undefined): ResolvedRequest {
  const runtime = { ...request.runtime, reuse: source !== undefined, reuse_run_id: source?.runId ?? "" };
  return { ...request, runtime };
}

function announce(ask: PrepareAsk, recorder: Recorder, loaded: LoadedTasks, store: BlobStore): void {
  const { request } = ask.checked;
  const { benchmark, harness, environment, model } = request;
  const payload = { benchmark: benchmark.id, harness: harness.id, environment: environment.id, model: model.id };
  recorder.emit({ event: "run_started", payload });
  const say = (message: string, level: LogLevel = "INFO"): void => recorder.log({ level, source: "run", message });
  say(
    `▶ Evaluation started | benchmark=${benchmark.id} | harness=${harness.id} | model=${model.id} | environment=${environment.id} | results=${store.locate("")}`,
  );
  for (const warning of [...ask.checked.warnings, ...loaded.warnings]) say(warning, "WARNING");
  recorder.emit({ event: "tasks_loaded", payload: { total_tasks: loaded.tasks.length } });
  say(`✓ Tasks loaded | total=${loaded.tasks.length} of ${loaded.provenance.tasks_available}`);
}

function reuse(
  ask: PrepareAsk,
  target: BlobStore,
  loaded: LoadedTasks,
  source: ReuseSource | undefined,
): Promise<Reused> {
  const { checked } = ask;
  const primaryMetric = checked.benchmark.metrics.find((metric) => metric.primary)?.id ?? "correct";
  return reuseResults({ source, target, tasks: loaded.tasks, request: checked.request, primaryMetric });
}

/** The plans by which reused results came about stay beside them. */
function takePlans(info: RunInfo, reused: Reused, source: ReuseSource | undefined): void {
  for (const { result } of reused.done) {
    const plan = source?.plans[result.task_id];
    const attempts = isPlainObject(plan) ? plan["attempts"] : undefined;
    if (!isPlainObject(attempts)) continue;
    const entries = Object.entries(attempts).map(([attempt, one]) => [Number(attempt), one as ExecutionPlan] as const);
    info.plans.set(result.task_id, new Map(entries));
  }
}

function announceReuse(
  recorder: Recorder,
  reused: Reused,
  source: ReuseSource | undefined,
  request: ResolvedRequest,
): void {
  const counts: Record<string, number> = {};
  for (const task of reused.done) if (task.state !== "normal") counts[task.state] = (counts[task.state] ?? 0) + 1;
  recorder.emit({
    event: "reuse_loaded",
    payload: {
      reused_tasks: reused.done.length,
      tasks_to_run: reused.pending.length,
      reused_severity_counts: counts,
    },
  });
  const say = (level: LogLevel, message: string): void => recorder.log({ level, source: "reuse", message });
  if (source)
    say("INFO", `↻ Reuse | source=${source.path} | reused=${reused.done.length} | pending=${reused.pending.length}`);
  else if (request.runtime.reuse)
    say("WARNING", "reuse was asked for, but there is no earlier run to take results from");
  if ((counts["fatal"] ?? 0) > 0)
    say(
      "WARNING",
      `reused tasks that ended in a FATAL issue and are kept: ${counts["fatal"]}; --max-retries 1 runs them again`,
    );
}

async function createModel(ask: PrepareAsk, store: BlobStore): Promise<RequestRun["model"]> {
  const { checked, deps } = ask;
  if (checked.protocol === undefined) return undefined;
  const spec: ModelSpec = checked.request.model;
  return deps.createModel({
    request: checked.request,
    spec,
    protocol: checked.protocol,
    runDirectory: store.locate(""),
  });
}

/** Keys of the model and of components (a judge's), and every value of an address's query, which may be one. */
function secretsOf({ model, benchmark, harness }: ResolvedRequest): readonly string[] {
  const ofComponents = hiddenTexts([benchmark.params, harness.params]);
  return [model.api_key, ...queryValues(model.base_url), ...ofComponents].filter((secret) => secret !== "");
}
