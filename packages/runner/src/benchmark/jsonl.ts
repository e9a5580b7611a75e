import { resolve } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import { type Benchmark, type LoadedTasks, StageFailure, type TaskSpec } from "@agentcompass/core/plugin";
import type { Params } from "@agentcompass/core/spec";
import { z } from "zod";
import { type JsonLine, readJsonLines } from "./json-lines.ts";
import { JsonlParams, type JsonlSchema, parseParams } from "./params.ts";
import { pythonJson } from "./python-json.ts";
import { SCORER_BY_ID, type Scorer } from "./scorer/index.ts";
import { checkTaskId, selectTasks } from "./selection.ts";
import { answerText, CORRECT, prepareText } from "./text-task.ts";

const INPUT = "must be a text or a list of {role, content} messages, not empty";

const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(z.unknown())]).nullable(),
});

const Line = z.looseObject({
  id: z.union([z.string(), z.int()], "must be a text or a whole number").optional(),
  input: z.union([z.string().refine((text) => text.trim() !== "", INPUT), z.array(Message).min(1, INPUT)], INPUT),
  expected: z.unknown(),
  category: z.string("must be a text").nullish(),
});

const FIELDS = Object.keys(Line.shape);

/**
 * Tasks of a user's own file, one JSON object a line, answered in text and scored by one of the scorers, which are known
 * by the ids that `schema` allows.
 */
export function createJsonlBenchmark(
  scorers: Readonly<Record<string, Scorer>> = SCORER_BY_ID,
  schema: JsonlSchema = JsonlParams,
): Benchmark {
  // The tasks of a request share one object of parameters: it is parsed for the first of them.
  const known = new WeakMap<Params, Chosen>();
  const choose = (given: Params): Chosen => {
    const params = parseParams(schema, given);
    const scorer = scorers[params.scorer];
    if (!scorer)
      throw new AgentCompassError("component.invalid", `benchmark.scorer: there is no scorer '${params.scorer}'`);
    return { params, scorer };
  };
  const chosen = (given: Params): Chosen => {
    const found = known.get(given) ?? choose(given);
    known.set(given, found);
    return found;
  };
  return {
    id: "jsonl",
    metrics: CORRECT,
    answer: "text",
    evaluationEnvironmentMode: "none",
    parallelAttemptsSafe: true,
    evaluationTimeoutMetrics: { correct: false },
    doLoad: async (ask) => load(chosen(ask.params)),
    doPrepare: async ({ task }) => {
      const { input } = task.metadata;
      return Array.isArray(input) ? prepareText(task, pythonJson(input), input) : prepareText(task, String(input));
    },
    doSolve: async ({ task, params }) => referenceOf(task, chosen(params).scorer),
    doEvaluate: async ({ run, ...ask }) => {
      const { params, scorer } = chosen(ask.params);
      const score = await scorer.score({ ...ask, params, answer: answerText(run), expected: ask.task.ground_truth });
      return { metrics: { correct: score.correct }, meta: { scorer: params.scorer, ...score.meta } };
    },
  };
}

type Chosen = { readonly params: z.output<JsonlSchema>; readonly scorer: Scorer };

export const jsonl: Benchmark = createJsonlBenchmark();

function referenceOf(task: TaskSpec, scorer: Scorer): string {
  const answer = scorer.reference(task.ground_truth);
  if (answer !== undefined) return answer;
  throw new StageFailure(
    "error",
    "reference_missing",
    `task ${task.task_id}: no reference answer can be told from the expectation ${JSON.stringify(task.ground_truth)}`,
  );
}

async function load({ params, scorer }: Chosen): Promise<LoadedTasks> {
  checkJudge(params);
  const path = resolve(params.path);
  const { lines, checksum } = await readJsonLines(path, () => noFile(path));
  const seen = new Map<string, string>();
  const tasks = lines.map((line) => toTask(line, scorer, seen));
  return {
    tasks: selectTasks(path, tasks, params),
    provenance: { source: path, checksum, tasks_available: tasks.length },
    warnings: unusedFields(path, lines),
  };
}

function checkJudge({ scorer, judge }: z.output<JsonlSchema>): void {
  if (scorer === "judge" && !judge)
    throw new AgentCompassError(
      "component.invalid",
      "benchmark.judge: scorer judge needs a model; give judge.model and judge.base_url",
    );
  if (scorer !== "judge" && judge)
    throw new AgentCompassError(
      "component.invalid",
      `benchmark.judge: scorer ${scorer} asks no model; set scorer to judge, or leave judge out`,
    );
}

function noFile(path: string): AgentCompassError {
  return new AgentCompassError(
    "benchmark.data_missing",
    `benchmark.path: there is no file ${path}; give the JSONL file with your tasks (relative paths start at the working directory)`,
  );
}

function toTask(line: JsonLine, scorer: Scorer, seen: Map<string, string>): TaskSpec {
  const parsed = Line.safeParse(line.value);
  if (!parsed.success) throw invalid(line, lineProblem(parsed.error.issues[0], line.value));
  const { id, input, expected, category } = parsed.data;
  if (expected === undefined) throw invalid(line, "expected is missing; without it an answer cannot be scored");
  const refusal = scorer.refuse(expected);
  if (refusal !== undefined) throw invalid(line, `expected: ${refusal}`);
  const taskId = String(id ?? `line-${line.line}`);
  checkTaskId(line.where, taskId, seen);
  return {
    task_id: taskId,
    category: category ?? null,
    ground_truth: expected,
    metadata: { input },
  };
}

function lineProblem(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be a JSON object";
  const field = String(issue?.path[0] ?? "line");
  return field in value ? `${field} ${issue?.message ?? "is not allowed"}` : `${field} is missing`;
}

function invalid(line: JsonLine, reason: string): AgentCompassError {
  return new AgentCompassError("benchmark.data_invalid", `${line.where}: ${reason}`);
}

function unusedFields(path: string, lines: readonly JsonLine[]): readonly string[] {
  const unused = new Set<string>();
  for (const { value } of lines)
    for (const field of Object.keys(value ?? {})) if (!FIELDS.includes(field)) unused.add(field);
  if (unused.size === 0) return [];
  return [`${path}: fields that are not used: ${[...unused].join(", ")} (used are ${FIELDS.join(", ")})`];
}
