import { AgentCompassError } from "../error.ts";
import type { BlobStore } from "../port/index.ts";
import { isPlainObject, PUBLISHED_STATES, RUN_FILES, type TaskState } from "../record/index.ts";
import type { AttemptResult, TaskResult } from "../result/attempt-result.ts";
import { type Measurement, parseMeasurement } from "../result/index.ts";
import { measureTrajectory } from "./measured-trajectory.ts";

/** A task as a run directory holds it. */
export type StoredTask = {
  readonly state: TaskState;
  /** Key of its directory below the run. */
  readonly key: string;
  readonly published: boolean;
  /** Attempts that were begun and have no result. */
  readonly unfinished: readonly number[];
  readonly result: TaskResult;
  readonly measurements: readonly Measurement[];
};

/** Reads run_info.json; throws `run.unreadable` when it is missing, broken or of another schema. */
export async function readRunInfo(store: BlobStore): Promise<Record<string, unknown>> {
  const where = store.locate(RUN_FILES.runInfo);
  const value = await readJson(store, RUN_FILES.runInfo);
  if (!isPlainObject(value))
    throw new AgentCompassError("run.unreadable", `${where}: not a run directory (run_info.json is missing or broken)`);
  const schema = value["schema_version"];
  if (schema !== "agentcompass.run_info.v3" && schema !== "agentcompass.run_info.v2")
    throw new AgentCompassError(
      "run.unreadable",
      `${where}: schema_version ${JSON.stringify(schema)} is not agentcompass.run_info.v3`,
    );
  return value;
}

/**
 * Every task of a run whose files are whole, in the order of its directories; half-written ones are left out. `keep` says what
 * of a result is held in memory: with its trajectories a large run may not fit.
 */
export async function readStoredTasks(
  store: BlobStore,
  keep: (result: TaskResult) => TaskResult = (result) => result,
): Promise<StoredTask[]> {
  const tasks: StoredTask[] = [];
  for (const state of ["running", ...PUBLISHED_STATES] as const) {
    const prefix = `details/${state}`;
    const names = await store.children(prefix);
    for (let start = 0; start < names.length; start += 32) {
      const batch = names.slice(start, start + 32).map((name) => readStoredTask(store, state, `${prefix}/${name}`));
      for (const task of await Promise.all(batch)) if (task) tasks.push({ ...task, result: keep(task.result) });
    }
  }
  return tasks;
}

async function readStoredTask(store: BlobStore, state: TaskState, key: string): Promise<StoredTask | undefined> {
  const document = await readJson(store, `${key}/task.json`);
  if (!isPlainObject(document) || typeof document["task_id"] !== "string") return undefined;
  const attempts: Record<string, AttemptResult> = {};
  const measurements: Measurement[] = [];
  const unfinished: number[] = [];
  for (const [attempt, directory] of Object.entries(document["attempts"] ?? {})) {
    const result = asAttemptResult(await readJson(store, `${key}/${directory}/result.json`));
    if (!result) unfinished.push(Number(attempt));
    if (!result) continue;
    attempts[attempt] = result;
    const measurement =
      parseMeasurement(await readJson(store, `${key}/${directory}/measurement.json`)) ??
      measureTrajectory(document["task_id"], Number(attempt), result);
    if (measurement) measurements.push(measurement);
  }
  const published =
    state !== "running" && "attempt_plan" in document && "category" in document && "ground_truth" in document;
  const category = typeof document["category"] === "string" ? document["category"] : null;
  const result = { task_id: document["task_id"], category, ground_truth: document["ground_truth"], attempts };
  return { state, key, published, unfinished, result, measurements };
}

const RESULT_FIELDS = [
  "status",
  "metrics",
  "final_answer",
  "trajectory",
  "issues",
  "artifacts",
  "analysis_result",
  "meta",
  "retry_count",
];

/** A result that is whole; anything else counts as not there. */
function asAttemptResult(value: unknown): AttemptResult | undefined {
  if (!isPlainObject(value) || RESULT_FIELDS.some((field) => !(field in value))) return undefined;
  return Array.isArray(value["issues"]) && isPlainObject(value["metrics"]) ? (value as AttemptResult) : undefined;
}

const decoder = new TextDecoder();

/** Parsed JSON of a key; undefined when it is absent or not JSON. */
export async function readJson(store: BlobStore, key: string): Promise<unknown> {
  const bytes = await store.get(key);
  if (!bytes) return undefined;
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    // A torn file of a crash: the caller treats it as absent.
    return undefined;
  }
}
