import type {
  Benchmark,
  Catalog,
  CollectAsk,
  Collected,
  ComponentDescriptor,
  Environment,
  EvaluateAsk,
  Evaluation,
  Harness,
  OpenAsk,
  RunAsk,
} from "@agentcompass/core/plugin";
import { COMMON_PARAMS } from "@agentcompass/runner/benchmark";
import { extendCatalog } from "@agentcompass/runner/catalog";
import { z } from "zod";

/** What a test lets an attempt do; without it the answer is "42", which is correct. */
export type Execution = {
  /** `execution` counts those of the task from 1. */
  run?: (ask: RunAsk, execution: number) => Promise<unknown>;
  collect?: (ask: CollectAsk) => Promise<Collected>;
  evaluate?: (ask: EvaluateAsk, evaluation: number) => Promise<Evaluation>;
  /** Before an environment opens. */
  open?: (ask: OpenAsk) => Promise<void>;
  /** Fields of every task over the plain ones. */
  task?: object;
};

/** The catalog with the benchmark `work`, the harness `worker` and the environment `elsewhere`; opens are recorded. */
export function withWork(catalog: Catalog, execution: Execution, opened: OpenAsk[]): Catalog {
  const hostProcess = catalog.environment.get("host_process");
  const recorded = new Map(catalog.environment);
  if (hostProcess) recorded.set("host_process", recording(hostProcess, "host_process", execution, opened));
  return extendCatalog(
    { ...catalog, environment: recorded },
    {
      benchmarks: [
        described("benchmark", benchmark(execution), { tasks: z.int().min(1).default(1), ...COMMON_PARAMS }),
      ],
      harnesses: [described("harness", harness(execution), { note: z.string().default("none") })],
      environments: hostProcess ? [recording(hostProcess, "elsewhere", execution, opened)] : [],
    },
  );
}

function described<T extends { readonly id: string }>(
  kind: ComponentDescriptor<T>["kind"],
  value: T,
  shape: z.ZodRawShape,
): ComponentDescriptor<T> {
  const { id } = value;
  return { kind, id, description: `${id} of the options.`, params: z.strictObject(shape), load: async () => value };
}

function recording(
  descriptor: ComponentDescriptor<Environment>,
  id: string,
  execution: Execution,
  opened: OpenAsk[],
): ComponentDescriptor<Environment> {
  const params = id === "elsewhere" ? z.strictObject({ colour: z.string().default("grey") }) : descriptor.params;
  const load = async (): Promise<Environment> => {
    const environment = await descriptor.load?.();
    if (!environment) throw new Error(`${descriptor.id} cannot be loaded`);
    return {
      ...environment,
      id,
      doOpen: async (ask) => {
        opened.push(ask);
        await execution.open?.(ask);
        return environment.doOpen(ask);
      },
    };
  };
  return { ...descriptor, id, params, load };
}

function benchmark(execution: Execution): Benchmark {
  const evaluations = new Map<string, number>();
  return {
    id: "work",
    metrics: [{ id: "correct", kind: "binary_success", primary: true }],
    answer: "text",
    evaluationEnvironmentMode: "none",
    parallelAttemptsSafe: true,
    evaluationTimeoutMetrics: { correct: false },
    doLoad: async ({ params }) => {
      const tasks = Array.from({ length: Number(params["tasks"]) }, (_, index) => ({
        task_id: `t${index + 1}`,
        category: null,
        ground_truth: "42",
        metadata: {},
        ...execution.task,
      }));
      return { tasks, provenance: { source: "the test", tasks_available: tasks.length }, warnings: [] };
    },
    doPrepare: async ({ task }) => ({
      task_id: task.task_id,
      category: null,
      ground_truth: null,
      input: { prompt: "6*7", system_prompt: null, media: [], files: [], workspace: null, tools: [], messages: [] },
      output: { answer: null, files: [] },
      metadata: {},
    }),
    doEvaluate: async (ask) => {
      const count = next(evaluations, ask.task.task_id);
      return (await execution.evaluate?.(ask, count)) ?? { metrics: { correct: ask.run.final_answer === "42" } };
    },
  };
}

function harness(execution: Execution): Harness {
  const executions = new Map<string, number>();
  return {
    id: "worker",
    parallelAttemptsSafe: true,
    delivers: ["text", "workspace"],
    needsModel: false,
    runsCommands: false,
    protocols: [],
    defaultRunTimeoutSeconds: null,
    doRun: async (ask) => {
      const count = next(executions, ask.prepared.task_id);
      const answer = execution.run ? await execution.run(ask, count) : "42";
      return { final_answer: answer, trajectory: null, issues: [], artifacts: {}, telemetry: {} };
    },
    doCollect: async (ask) => (await execution.collect?.(ask)) ?? {},
  };
}

function next(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
