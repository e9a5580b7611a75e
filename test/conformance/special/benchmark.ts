import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Benchmark, ComponentDescriptor, Evaluation, TaskSpec } from "@agentcompass/core/plugin";
import { z } from "zod";

/** JSON text as Python writes it: a blank after every comma and colon. */
function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item)}`)
    .join(", ")}}`;
}

const FAILED_ANALYZERS = [
  ["content_keyword", "no trajectory available"],
  ["content_repetition", "no trajectory available"],
  ["reasoning_keyword", "no trajectory available"],
  ["reasoning_repetition", "no trajectory available"],
  ["empty_content", "no trajectory available"],
  ["truncation", "no trajectory available."],
] as const;

const KEYWORD = {
  content_keyword: {
    is_badcase: true,
    score: 1,
    details: {
      total_llm_steps: 1,
      matched_steps: 1,
      matched_keywords: ["<tool>"],
      matched_steps_detail: [{ step_id: 0, matched_fields: { content: ["<tool>"] } }],
    },
  },
};

function evaluate(answer: unknown, hasTrajectory: boolean): Evaluation {
  if (!hasTrajectory)
    return {
      metrics: { correct: false },
      issues: [{ severity: "error", phase: "evaluate", code: "evaluation_failed", message: "no trajectory" }],
      meta: {
        badcase_analyzers: Object.fromEntries(FAILED_ANALYZERS.map(([id, error]) => [id, { is_badcase: true, error }])),
      },
    };
  const bad = String(answer).includes("<tool>");
  return { metrics: { correct: !bad }, ...(bad && { meta: { badcase_analyzers: KEYWORD } }) };
}

/** The benchmark of the example runs: an answer that contains `<tool>` is false. */
export const specialPatternCheck: Benchmark = {
  id: "special_pattern_check",
  metrics: [{ id: "correct", kind: "binary_success", primary: true }],
  answer: "text",
  evaluationEnvironmentMode: "none",
  parallelAttemptsSafe: true,
  evaluationTimeoutMetrics: { correct: false },
  async doLoad({ params }) {
    const version = String(params["version"]);
    const source = join(String(params["dataset_dir"]), `${version}.jsonl`);
    const lines = (await readFile(source, "utf8")).trim().split("\n");
    const tasks = lines.map((line, index): TaskSpec => {
      const row = JSON.parse(line) as {
        category: string;
        messages: unknown;
        input_data: unknown;
        query_sha256: string;
      };
      return {
        task_id: `${row.category}_${version}_${index}`,
        category: row.category,
        ground_truth: "",
        metadata: { messages: row.messages, input_data: row.input_data, query_sha256: row.query_sha256 },
      };
    });
    return { tasks, provenance: { source, tasks_available: tasks.length }, warnings: [] };
  },
  async doPrepare({ task }) {
    return {
      task_id: task.task_id,
      category: task.category,
      ground_truth: task.ground_truth,
      input: {
        prompt: pythonJson(task.metadata["messages"]),
        system_prompt: null,
        media: [],
        files: [],
        workspace: null,
        tools: [],
        messages: [],
      },
      output: { answer: null, files: [] },
      metadata: {
        input_data: task.metadata["input_data"],
        tools: [],
        kwargs: {},
        query_sha256: task.metadata["query_sha256"],
      },
    };
  },
  async doEvaluate({ run }) {
    return evaluate(run.final_answer, run.trajectory !== null);
  },
};

export const specialPatternCheckDescriptor: ComponentDescriptor<Benchmark> = {
  kind: "benchmark",
  id: "special_pattern_check",
  description: "The benchmark of the example runs.",
  params: z.strictObject({
    dataset_dir: z.string(),
    version: z.string(),
    aggregation_mode: z.string().optional(),
    category_hierarchy: z.unknown().optional(),
  }),
  load: async () => specialPatternCheck,
};
