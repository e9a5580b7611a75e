import { AgentCompassError, errorText } from "@agentcompass/core";
import type {
  Benchmark,
  ComponentDescriptor,
  LoadAsk,
  LoadedTasks,
  OwnDefinition,
  TaskDefinition,
  TaskList,
} from "@agentcompass/core/plugin";
import { z } from "zod";
import { COMMON_PARAMS, type CommonParams } from "../benchmark/params.ts";
import { selectTasks } from "../benchmark/selection.ts";
import { CORRECT } from "../benchmark/text-task.ts";
import { ownParams } from "./own-params.ts";
import { checkReturned } from "./returned-shape.ts";

type Definition = Extract<OwnDefinition, { kind: "benchmark" }>;

/** A team's own benchmark, as the catalog knows it. */
export function ownBenchmark(definition: Definition, path: string): ComponentDescriptor<Benchmark> {
  return {
    kind: "benchmark",
    id: definition.id,
    description: definition.description,
    params: ownParams(definition.params, COMMON_PARAMS),
    origin: path,
    load: async () => toBenchmark(definition, path),
  };
}

function toBenchmark(definition: Definition, path: string): Benchmark {
  const answer = definition.answer ?? "text";
  const name = `benchmark '${definition.id}'`;
  const solve = definition.doSolve?.bind(definition);
  return {
    id: definition.id,
    metrics: definition.metrics ?? CORRECT,
    answer,
    evaluationEnvironmentMode: definition.evaluationEnvironmentMode ?? (answer === "text" ? "none" : "reuse"),
    parallelAttemptsSafe: definition.parallelAttemptsSafe ?? true,
    evaluationTimeoutMetrics: definition.evaluationTimeoutMetrics ?? {},
    doLoad: (ask) => load(definition, path, ask),
    doPrepare: async (ask) => checkReturned(Prepared, await definition.doPrepare(ask), `${name}: doPrepare`),
    ...(solve && { doSolve: async (ask) => checkReturned(Answer, await solve(ask), `${name}: doSolve`) }),
    doEvaluate: async (ask) => checkReturned(Evaluated, await definition.doEvaluate(ask), `${name}: doEvaluate`),
  };
}

const list = z.array(z.unknown());
const Prepared = z.looseObject({
  task_id: z.string(),
  input: z.looseObject({ prompt: z.string(), media: list, files: list, tools: list, messages: list }),
});
const Answer = z.string().nullable();
const Evaluated = z.strictObject({
  metrics: z.record(z.string(), z.union([z.boolean(), z.number()])),
  issues: list.optional(),
  artifacts: z.record(z.string(), z.unknown()).optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});

const Tasks = z.strictObject({
  tasks: z.array(z.looseObject({ task_id: z.string(), category: z.string().nullish() })),
  provenance: z.looseObject({ source: z.string().optional() }).optional(),
  warnings: z.array(z.string()).optional(),
});

/** The file's tasks with what it left out, and the selection that every benchmark offers. */
async function load(definition: Definition, path: string, ask: LoadAsk): Promise<LoadedTasks> {
  const returned = await loaded(definition, path, ask);
  const parsed = Tasks.safeParse(returned);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AgentCompassError(
      "benchmark.data_invalid",
      `benchmark '${definition.id}' (${path}): doLoad returned ${issue?.path.join(".") || "no list of tasks"}: ${issue?.message ?? "not valid"}`,
    );
  }
  const { tasks, provenance, warnings = [] } = returned;
  const source = provenance?.source ?? path;
  return {
    tasks: selectTasks(source, tasks.map(toTask), ask.params as CommonParams),
    provenance: { ...provenance, source, tasks_available: provenance?.tasks_available ?? tasks.length },
    warnings,
  };
}

/** What doLoad returns; what it throws names the benchmark and its file, but an error of AgentCompass's own stays as it is. */
async function loaded(definition: Definition, path: string, ask: LoadAsk): Promise<TaskList> {
  try {
    return await definition.doLoad(ask);
  } catch (error) {
    if (AgentCompassError.isInstance(error) || ask.signal.aborted) throw error;
    throw new AgentCompassError(
      "benchmark.data_invalid",
      `benchmark '${definition.id}' (${path}): doLoad failed: ${errorText(error)}`,
      { cause: error },
    );
  }
}

function toTask(task: TaskDefinition): LoadedTasks["tasks"][number] {
  return {
    ...task,
    category: task.category ?? null,
    ground_truth: task.ground_truth ?? null,
    metadata: task.metadata ?? {},
  };
}
