import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { measure } from "./measured-process.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The built command, by the path that a user of the package has. */
export const COMMAND = join(ROOT, "node_modules", ".bin", "agentcompass");
export const BARE_LOOP = fileURLToPath(new URL("bare-loop.mjs", import.meta.url));
const INSPECT_TASKS = fileURLToPath(new URL("inspect-tasks.py", import.meta.url));

/** A file of `count` tasks of one call each, for the benchmark `jsonl`. */
export async function writeTasks(directory, count) {
  const path = join(directory, `tasks-${count}.jsonl`);
  const task = (index) => ({
    id: `task-${index}`,
    input: `Question ${index}: what is six times seven?`,
    expected: 42,
    category: `category-${index % 4}`,
  });
  await writeLines(path, count, task);
  return path;
}

/** The same questions as `special_pattern_check`, a benchmark of AgentCompass itself, reads them. */
export async function writePeerTasks(directory, count) {
  const folder = join(directory, "peer-tasks");
  await mkdir(folder, { recursive: true });
  const task = (index) => ({
    messages: [{ role: "user", content: `Question ${index}: what is six times seven?` }],
    category: `category-${index % 4}`,
  });
  await writeLines(join(folder, `tasks-${count}.jsonl`), count, task);
  return { dataset_dir: folder, version: `tasks-${count}` };
}

async function writeLines(path, count, task) {
  await writeFile(path, Array.from({ length: count }, (_, index) => `${JSON.stringify(task(index))}\n`).join(""));
}

/**
 * One whole `agentcompass run` of `count` tasks, under the command `wrapper` when there is one; also says in `runDirectory` where its
 * results are. Fails unless every task scored.
 */
export async function runOurs({ directory, resultsDir, count, concurrency, stub, wrapper }) {
  const path = await writeTasks(directory, count);
  const args = [
    ...["run", "jsonl", "openai_chat", "stub", "--json", "--results-dir", resultsDir],
    ...["--benchmark-params", JSON.stringify({ path, scorer: "numeric" })],
    ...common(stub, concurrency),
  ];
  const [program, ...before] = wrapper ?? [];
  const call = program ? [program, [...before, COMMAND, ...args]] : [COMMAND, args];
  const ended = await measure(...call, { cwd: directory, env: environment(directory) });
  const result = JSON.parse(ended.stdout);
  const counts = result.metrics.series[0].counts;
  if (counts.evaluated !== count || result.metrics.series[0].value !== 1)
    throw new Error(`agentcompass run scored ${counts.evaluated} of ${count} tasks`);
  return { ...ended, runDirectory: dirname(result.paths.run_info) };
}

/** One whole run of AgentCompass of the same calls. */
export async function runPeer({ peer, directory, resultsDir, count, concurrency, stub }) {
  const params = await writePeerTasks(directory, count);
  const args = [
    ...["run", "special_pattern_check", "openai_chat", "stub", "--results-dir", resultsDir],
    ...["--benchmark-params", JSON.stringify(params)],
    ...common(stub, concurrency),
  ];
  return measure(...peerCommand(peer, args), { cwd: directory, env: peerEnvironment(directory) });
}

export function peerEnvironment(directory) {
  // Without it, AgentCompass first tries for seconds to fetch a price list.
  return { ...environment(directory), LITELLM_LOCAL_MODEL_COST_MAP: "True" };
}

/** Program and arguments of AgentCompass's own command. */
export function peerCommand(peer, args) {
  return [peer.python, ["-m", "agentcompass.cli", ...args]];
}

function common(stub, concurrency) {
  return [
    ...["--model-base-url", stub.url, "--model-api-key", "bench"],
    ...["--task-concurrency", String(concurrency), "--progress", "none"],
  ];
}

/** A home of its own: nobody's configuration takes part. */
export function environment(directory) {
  return { PATH: process.env.PATH ?? "", HOME: directory, TMPDIR: directory };
}

/** The same calls by Inspect AI, which fails unless every task scored. */
export function runInspect({ peer, directory, resultsDir, count, concurrency, stub }) {
  const args = [INSPECT_TASKS, stub.url, String(count), String(concurrency), resultsDir];
  return measure(peer.python, args, { cwd: directory, env: environment(directory) });
}
