import { join } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import type { Benchmark, LoadAsk, LoadedTasks, TaskSpec } from "@agentcompass/core/plugin";
import { readJsonLines } from "../json-lines.ts";
import { parseParams } from "../params.ts";
import { download, isThere } from "../published-file.ts";
import { selectTasks } from "../selection.ts";
import { CORRECT, prepareText } from "../text-task.ts";
import { evaluateHumanEval } from "./evaluate.ts";
import { HumanEvalParams } from "./params.ts";
import { requirePython } from "./python.ts";
import { toTask } from "./row.ts";
import { HUMANEVAL } from "./source.ts";

/**
 * HumanEval: Python functions to complete, right when their tests pass. The file is `<data directory>/humaneval/HumanEval.jsonl.gz`,
 * or HumanEval.jsonl beside it, which goes first; task ids are the file's own.
 */
export function createHumanEvalBenchmark(source: typeof HUMANEVAL = HUMANEVAL): Benchmark {
  return {
    id: "humaneval",
    metrics: CORRECT,
    answer: "text",
    evaluationEnvironmentMode: "reuse",
    parallelAttemptsSafe: true,
    evaluationTimeoutMetrics: { correct: false },
    doLoad: (ask) => load(ask, source),
    doPrepare: async ({ task }) => prepareText(task, promptOf(task)),
    doSolve: async ({ task }) => `${task.metadata["prompt"]}${task.metadata["canonical_solution"]}`,
    doEvaluate: evaluateHumanEval,
  };
}

function promptOf({ metadata }: TaskSpec): string {
  return [
    `Complete the Python function \`${metadata["entry_point"]}\` below so that it does what its description says.`,
    "Answer with one code block in ```python fences that holds the whole function, with its signature and the imports that it needs.",
    "",
    "```python",
    String(metadata["prompt"]).trimEnd(),
    "```",
  ].join("\n");
}

async function load(ask: LoadAsk, source: typeof HUMANEVAL): Promise<LoadedTasks> {
  const params = parseParams(HumanEvalParams, ask.params);
  const path = await locate(ask, source);
  const { lines, checksum, contentChecksum } = await readJsonLines(
    path,
    () => new AgentCompassError("benchmark.data_missing", `there is no file ${path}`),
  );
  const seen = new Map<string, string>();
  const tasks = lines.map((line) => toTask(line, seen));
  const selected = selectTasks(path, tasks, params);
  await requirePython(ask, params);
  return {
    tasks: selected,
    provenance: { source: path, checksum, tasks_available: tasks.length },
    warnings:
      contentChecksum === `sha256:${source.contentSha256}`
        ? []
        : [`${path} is not the published HumanEval (${checksum})`],
  };
}

async function locate(ask: LoadAsk, source: typeof HUMANEVAL): Promise<string> {
  const folder = join(ask.dataDir, "humaneval");
  const plain = join(folder, "HumanEval.jsonl");
  if (await isThere(plain)) return plain;
  const packed = join(folder, "HumanEval.jsonl.gz");
  if (!(await isThere(packed))) await download(source, packed, ask);
  return packed;
}
