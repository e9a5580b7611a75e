import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Fields whose values belong to a time, a machine or a language; their kind must still agree. */
const FREE = new Set([
  "started_at",
  "finished_at",
  "generated_at",
  "timestamp",
  "updated_at",
  "elapsed_seconds",
  "llm_infer_ms",
  "retry_delay_seconds",
  "orchestration_id",
  "request_key",
  "message",
  "error",
  "execution_diagnostics",
  "dataset_dir",
  "base_url",
  "path",
  "source_run",
  "retry_detail",
]);

/** Ours beside AgentCompass's; a 1.0.1 reader ignores them. */
const OUR_FILES = /(^|\/)measurement\.json$/;
const OUR_KEYS = new Set(["provenance", "statistics", "waiting_seconds", "working_seconds", "tokens", "cost_usd"]);
/** Analysis comes later; its files and results are left out. */
const ANALYSIS = /(^|\/)analysis_summary\.(json|md)$/;
const TEXTS = new Set(["run.log", "summary.md", "progress.jsonl", "stderr.txt"]);

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((name) => !ANALYSIS.test(name) && name !== "stderr.txt")
    .sort();
}

/** Differences between an example run and ours of the same inputs; empty when they agree. */
export async function compareRuns(expected: string, actual: string): Promise<string[]> {
  const wanted = await filesOf(expected);
  const found = (await filesOf(actual)).filter((name) => !OUR_FILES.test(name));
  const differences = [
    ...wanted.filter((name) => !found.includes(name)).map((name) => `${name}: missing`),
    ...found.filter((name) => !wanted.includes(name)).map((name) => `${name}: not in the example`),
  ];
  for (const name of wanted.filter((one) => found.includes(one) && !TEXTS.has(one))) {
    const [left, right] = await Promise.all([readJson(join(expected, name)), readJson(join(actual, name))]);
    compareValues(left, right, name, differences);
  }
  await compareSummaries(expected, actual, differences);
  differences.push(...compareEvents(await readEvents(expected), await readEvents(actual)));
  return differences;
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, "utf8"));
}

async function compareSummaries(expected: string, actual: string, differences: string[]): Promise<void> {
  const [wanted, found] = await Promise.all(
    [expected, actual].map((directory) => readFile(join(directory, "summary.md"), "utf8").catch(() => "")),
  );
  if (!found?.startsWith((wanted ?? "").trimEnd())) differences.push(`summary.md: found ${found}`);
}

function kind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function compareValues(expected: unknown, actual: unknown, path: string, differences: string[]): void {
  const key = path.slice(path.lastIndexOf(".") + 1);
  if (kind(expected) !== kind(actual)) {
    differences.push(
      `${path}: expected ${JSON.stringify(expected)?.slice(0, 80)}, found ${JSON.stringify(actual)?.slice(0, 80)}`,
    );
  } else if (key === "analysis_result") {
    return;
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      differences.push(`${path}: ${expected.length} items, found ${actual.length}`);
    for (const [index, item] of expected.entries())
      compareValues(item, actual[index], `${path}[${index}]`, differences);
  } else if (isObject(expected) && isObject(actual)) {
    for (const name of Object.keys(expected)) {
      if (name in actual) compareValues(expected[name], actual[name], `${path}.${name}`, differences);
      else differences.push(`${path}.${name}: missing`);
    }
    for (const name of Object.keys(actual))
      if (!(name in expected) && !OUR_KEYS.has(name)) differences.push(`${path}.${name}: not in the example`);
  } else if (!FREE.has(key) && expected !== actual) {
    differences.push(`${path}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Event = Record<string, unknown> & { task_id: string | null; attempt: number | null };

async function readEvents(directory: string): Promise<Event[]> {
  const text = await readFile(join(directory, "progress.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);
}

/** Kinds and order of events by task and attempt; events of attempts that run at once may interleave. */
function compareEvents(expected: Event[], actual: Event[]): string[] {
  const differences: string[] = [];
  const wanted = byAttempt(expected);
  const found = byAttempt(actual);
  for (const key of new Set([...wanted.keys(), ...found.keys()]))
    compareValues(wanted.get(key) ?? null, found.get(key) ?? null, `progress.jsonl[${key}]`, differences);
  return differences;
}

function byAttempt(events: Event[]): Map<string, Event[]> {
  const groups = new Map<string, Event[]>();
  for (const event of events) {
    const key = `${event.task_id}/${event.attempt}`;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return groups;
}
