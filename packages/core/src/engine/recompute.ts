import { AgentCompassError } from "../error.ts";
import type { BlobStore, Clock } from "../port/index.ts";
import { isoSeconds, isPlainObject, prettyJson, RUN_FILES, sortKeys } from "../record/index.ts";
import { compareCodePoints } from "../result/code-point-order.ts";
import type { AttemptPlan, MetricContract, MetricDeclaration } from "../result/index.ts";
import { type Score, scoreRun, writeScore } from "./score.ts";
import { readJson, readRunInfo, readStoredTasks, type StoredTask } from "./stored-run.ts";
import { withoutTrajectory } from "./task-view.ts";

export type RecomputeAsk = {
  readonly store: BlobStore;
  readonly clock: Clock;
  /** Contract of a benchmark that is known here; undefined reads it from the results. */
  readonly contractOf: (benchmarkId: string) => Promise<MetricContract | undefined>;
  /** Parameters of benchmarks by id, as configured now; the run's own win. */
  readonly configured?: Readonly<Record<string, unknown>>;
  /** Over the run's own parameters, for another aggregation. */
  readonly benchmarkParams: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
};

export type Recomputed = Score & {
  readonly benchmarkId: string;
  readonly modelId: string;
  readonly tasks: readonly StoredTask[];
};

/**
 * Computes metrics.json and summary.md anew from the published tasks of a run directory, ours or AgentCompass's. What the run
 * itself recorded stays as it is, but for `metric_artifacts`.
 */
export async function recomputeSummary(ask: RecomputeAsk): Promise<Recomputed> {
  const info = await readRunInfo(ask.store);
  const request = section(info, "request");
  const benchmark = section(request, "benchmark");
  const benchmarkId = String(benchmark["id"] ?? "");
  const modelId = String(section(request, "model")["id"] ?? "");
  const tasks = (await readStoredTasks(ask.store, withoutTrajectory)).filter((task) => task.published);
  const reached = section(section(info, "provenance"), "model");
  const unreached = Number(reached["calls"] ?? 0) > 0 && reached["reached"] === 0;
  const score = scoreRun({
    benchmarkId,
    modelId,
    contract: (await ask.contractOf(benchmarkId)) ?? (await inferContract(ask.store, tasks)),
    plan: planOf(request),
    benchmarkParams: {
      ...section({ ...ask.configured }, benchmarkId),
      ...section(benchmark, "params"),
      ...ask.benchmarkParams,
    },
    tasks: tasks.map((task) => task.result),
    measurements: tasks.flatMap((task) => [...task.measurements]),
    officialScore: !unreached,
    notes: await notesOf(ask.store, tasks.length, unreached),
  });
  if (!ask.dryRun) await write(ask, info, score);
  return { ...score, benchmarkId, modelId, tasks };
}

async function write(ask: RecomputeAsk, info: Record<string, unknown>, score: Score): Promise<void> {
  await writeScore(ask.store, score);
  const { k, strategy, aggregation } = score.report;
  const overridden = Object.keys(ask.benchmarkParams).length > 0;
  const metric_artifacts = {
    generated_at: isoSeconds(ask.clock, ask.clock.now()),
    source: "summary",
    report: { k, strategy, aggregation },
    ...(overridden && { benchmark_params_override: ask.benchmarkParams }),
  };
  const document = { ...info, metric_artifacts: sortKeys(metric_artifacts) };
  // What was read is sorted as it is to stay; with a plan for each of many tasks, sorting it again takes longest of all.
  const sorted = Object.fromEntries(Object.entries(document).sort(([left], [right]) => compareCodePoints(left, right)));
  await ask.store.put(RUN_FILES.runInfo, prettyJson(sorted), { durable: true });
}

function section(value: Record<string, unknown>, key: string): Record<string, unknown> {
  const inner = value[key];
  return isPlainObject(inner) ? inner : {};
}

function planOf(request: Record<string, unknown>): AttemptPlan {
  const attempts = section(section(request, "execution"), "attempts");
  const k = typeof attempts["k"] === "number" ? attempts["k"] : 1;
  return { k, strategy: attempts["strategy"] === "pass" ? "pass" : "avg" };
}

/** A partial run says so: its score speaks for fewer tasks than it was started with. */
async function notesOf(store: BlobStore, published: number, unreached: boolean): Promise<readonly string[]> {
  const progress = await readJson(store, RUN_FILES.progress);
  const total =
    isPlainObject(progress) && typeof progress["total_tasks"] === "number" ? progress["total_tasks"] : published;
  return [
    ...(unreached ? ["No official score: no call of the model was answered."] : []),
    ...(total > published ? [`Partial: ${published} of ${total} ${total === 1 ? "task" : "tasks"}.`] : []),
  ];
}

/** The metrics that an unknown benchmark reported: from its metrics.json, else from the values themselves. */
async function inferContract(store: BlobStore, tasks: readonly StoredTask[]): Promise<MetricContract> {
  const declared = new Map<string, MetricDeclaration>();
  const stored = await readJson(store, RUN_FILES.metrics);
  const series = isPlainObject(stored) && Array.isArray(stored["series"]) ? stored["series"] : [];
  for (const one of series)
    if (isPlainObject(one)) declare(declared, String(one["metric_id"]), one["kind"] === "binary_success");
  for (const task of tasks)
    for (const attempt of Object.values(task.result.attempts))
      for (const [id, value] of Object.entries(attempt.metrics)) declare(declared, id, typeof value === "boolean");
  if (!declared.has("correct") && !declared.has("score")) declare(declared, "correct", true);
  const primary = declared.has("correct") ? "correct" : "score";
  if (declared.size === 0)
    throw new AgentCompassError("run.unreadable", `${store.locate("")}: no metric in any result`);
  return [...declared.values()]
    .map((metric) => ({ ...metric, primary: metric.id === primary }))
    .sort((left, right) => Number(right.primary) - Number(left.primary));
}

function declare(declared: Map<string, MetricDeclaration>, id: string, binary: boolean): void {
  if (declared.has(id)) return;
  declared.set(id, { id, kind: binary ? "binary_success" : "scalar", primary: false });
}
