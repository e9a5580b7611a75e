import { join } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import type { Benchmark, LoadAsk, LoadedTasks, TaskSpec } from "@agentcompass/core/plugin";
import { z } from "zod";
import { GSM8K_TEST } from "./gsm8k-source.ts";
import { type JsonLine, readJsonLines } from "./json-lines.ts";
import { PlainParams, parseParams } from "./params.ts";
import { download, isThere, type PublishedFile } from "./published-file.ts";
import { numeric } from "./scorer/index.ts";
import { selectTasks } from "./selection.ts";
import { answerText, CORRECT, prepareText } from "./text-task.ts";

const Row = z.looseObject({ question: z.string().min(1), answer: z.string().min(1) });

/**
 * Grade-school word problems (GSM8K, test split), answered in text: right when the last number of the answer is the expected
 * one. The file is `<data directory>/gsm8k/test.jsonl`; task ids are `gsm8k_<line>`.
 */
export function createGsm8kBenchmark(source: PublishedFile = GSM8K_TEST): Benchmark {
  return {
    id: "gsm8k",
    metrics: CORRECT,
    answer: "text",
    evaluationEnvironmentMode: "none",
    parallelAttemptsSafe: true,
    evaluationTimeoutMetrics: { correct: false },
    doLoad: (ask) => load(ask, source),
    doPrepare: async ({ task }) => prepareText(task, promptOf(task)),
    doSolve: async ({ task }) => String(task.metadata["answer"]),
    doEvaluate: async ({ task, run }) => ({
      metrics: { correct: numeric.isCorrect(answerText(run), task.ground_truth) },
    }),
  };
}

function promptOf(task: TaskSpec): string {
  return [
    "Work out the following problem step by step.",
    "Finish with one last line that holds nothing but `Answer: ` and the result as a plain number, without a unit.",
    "",
    String(task.metadata["question"]),
  ].join("\n");
}

async function load(ask: LoadAsk, source: PublishedFile): Promise<LoadedTasks> {
  const params = parseParams(PlainParams, ask.params);
  const path = join(ask.dataDir, "gsm8k", "test.jsonl");
  if (!(await isThere(path))) await download(source, path, ask);
  const { lines, checksum } = await readJsonLines(
    path,
    () => new AgentCompassError("benchmark.data_missing", `there is no file ${path}`),
  );
  const tasks = lines.map(toTask);
  return {
    tasks: selectTasks(path, tasks, params),
    provenance: { source: path, checksum, tasks_available: tasks.length },
    warnings:
      checksum === `sha256:${source.sha256}` ? [] : [`${path} is not the published GSM8K test set (${checksum})`],
  };
}

function toTask(line: JsonLine): TaskSpec {
  const row = Row.safeParse(line.value);
  if (!row.success)
    throw new AgentCompassError("benchmark.data_invalid", `${line.where}: question and answer must be texts`);
  const { question, answer } = row.data;
  const expected = answer.split("####").at(-1)?.trim() ?? "";
  if (!answer.includes("####") || numeric.refuse(expected) !== undefined)
    throw new AgentCompassError("benchmark.data_invalid", `${line.where}: answer does not end in #### and a number`);
  return {
    task_id: `gsm8k_${line.line}`,
    category: null,
    ground_truth: expected,
    metadata: { question, answer },
  };
}
