import { type EngineDeps, type Orchestrated, orchestrate } from "@agentcompass/core/engine";
import type { ProgressEvent } from "@agentcompass/core/event";
import type {
  Benchmark,
  Catalog,
  CollectAsk,
  Collected,
  ComponentDescriptor,
  Environment,
  EnvironmentSession,
  Harness,
  Model,
  OpenAsk,
  Recipe,
  TaskSpec,
} from "@agentcompass/core/plugin";
import type { LogRecord } from "@agentcompass/core/port";
import { type ResolvedOrchestration, resolveOrchestration } from "@agentcompass/core/spec";
import { FakeClock, fakeIds, MemoryBlobStore, MemoryPermitStore, seededRandom } from "@agentcompass/core/testing";
import { z } from "zod";

/** What one task does in a scenario; the defaults answer at once and are correct. */
export type Behaviour = {
  readonly run?: (ask: Parameters<Harness["doRun"]>[0], execution: number) => Promise<unknown>;
  readonly evaluate?: () => Promise<Awaited<ReturnType<Benchmark["doEvaluate"]>>>;
  readonly prepare?: () => void;
  readonly collect?: (ask: CollectAsk) => Promise<Collected>;
};

export type ScenarioOptions = {
  readonly tasks?: readonly (Partial<TaskSpec> & { readonly task_id: string })[];
  readonly behaviour?: Readonly<Record<string, Behaviour>>;
  readonly mode?: "none" | "reuse";
  readonly parallel?: boolean;
  readonly model?: Model;
  readonly recipes?: readonly Recipe[];
  readonly orchestration?: Readonly<Record<string, unknown>>;
  readonly open?: (task: number, ask: OpenAsk) => Promise<void>;
  /** What a command of the harness does; refused unless given. */
  readonly exec?: EnvironmentSession["exec"];
  /** What closing a session waits for. */
  readonly close?: () => Promise<void>;
  /** The harness's own default. */
  readonly harnessTimeoutSeconds?: number;
  readonly store?: MemoryBlobStore;
  readonly permits?: MemoryPermitStore;
  readonly clock?: FakeClock;
};

export type Scenario = {
  readonly clock: FakeClock;
  readonly store: MemoryBlobStore;
  readonly permits: MemoryPermitStore;
  readonly events: ProgressEvent[];
  readonly logs: LogRecord[];
  /** Task ids in the order their harness began, one entry an execution. */
  readonly executions: string[];
  /** Sessions opened and not closed. */
  readonly open: Set<EnvironmentSession>;
  readonly orchestration: ResolvedOrchestration;
  start(signal?: AbortSignal, endNow?: AbortSignal): Promise<Orchestrated>;
  /** Starts and drives the clock to the end. */
  finish(signal?: AbortSignal): Promise<Orchestrated>;
};

const params = z.looseObject({});

function descriptor<T>(kind: ComponentDescriptor<T>["kind"], id: string, value: T): [string, ComponentDescriptor<T>] {
  return [id, { kind, id, description: `${id} of the scenarios.`, params, load: async () => value }];
}

/** An orchestration over memory and a fake clock, with one benchmark, one harness and one environment of its own. */
export function createScenario(options: ScenarioOptions = {}): Scenario {
  const clock = options.clock ?? new FakeClock();
  const store = options.store ?? new MemoryBlobStore();
  const permits = options.permits ?? new MemoryPermitStore({ clock });
  const events: ProgressEvent[] = [];
  const logs: LogRecord[] = [];
  const executions: string[] = [];
  const open = new Set<EnvironmentSession>();
  const catalog: Catalog = {
    benchmark: new Map([descriptor("benchmark", "tasks", benchmark(options))]),
    harness: new Map([descriptor("harness", "agent", harness(options, executions))]),
    environment: new Map([descriptor("environment", "place", environment(options, open))]),
    ...(options.recipes && { recipes: options.recipes }),
  };
  const orchestration = resolveOrchestration({
    value: {
      defaults: {
        benchmark: { id: "tasks" },
        harness: { id: "agent" },
        environment: { id: "place" },
        model: { id: "m" },
        output: { run_id: "r" },
      },
      requests: [{ name: "one" }],
      ...options.orchestration,
    },
    configLayers: [],
    env: {},
    overrides: {},
    catalog,
    ids: fakeIds(),
  });
  const deps: EngineDeps = {
    catalog,
    clock,
    ids: fakeIds(),
    random: seededRandom(1),
    permits,
    holder: "scenario",
    results: () => store,
    dataDirectory: (directory) => directory,
    createModel: async () => options.model ?? answering(),
    env: {},
    version: "0.0.0",
    onEvent: (event) => events.push(event),
    onRequestFinished: () => {},
    onLog: (record) => logs.push(record),
  };
  const start = (signal = new AbortController().signal, endNow?: AbortSignal): Promise<Orchestrated> =>
    orchestrate(orchestration, deps, signal, endNow);
  return {
    clock,
    store,
    permits,
    events,
    logs,
    executions,
    open,
    orchestration,
    start,
    finish: (signal) => clock.runUntil(start(signal), { limitMs: 30 * 86_400_000 }),
  };
}

function answering(): Model {
  return {
    complete: async () => ({
      content: "42",
      reasoning_content: null,
      tool_calls: null,
      stop_reason: "stop",
      usage: { prompt_tokens: 3, completion_tokens: 1, cache_tokens: 0, reasoning_tokens: null, cost_usd: 0 },
      returned_model: "m-1",
      latency_ms: 5,
    }),
  };
}

function benchmark(options: ScenarioOptions): Benchmark {
  const tasks = (options.tasks ?? [{ task_id: "t1" }]).map((task) => ({
    category: null,
    ground_truth: null,
    metadata: {},
    ...task,
  }));
  return {
    id: "tasks",
    metrics: [{ id: "correct", kind: "binary_success", primary: true }],
    answer: "text",
    evaluationEnvironmentMode: options.mode ?? "none",
    parallelAttemptsSafe: options.parallel ?? false,
    evaluationTimeoutMetrics: { correct: false },
    doLoad: async () => ({ tasks, provenance: { source: "scenario", tasks_available: tasks.length }, warnings: [] }),
    doPrepare: async ({ task }) => {
      options.behaviour?.[task.task_id]?.prepare?.();
      return {
        task_id: task.task_id,
        category: task.category,
        ground_truth: null,
        input: { prompt: "?", system_prompt: null, media: [], files: [], workspace: null, tools: [], messages: [] },
        output: { answer: null, files: [] },
        metadata: {},
      };
    },
    doEvaluate: async ({ task }) =>
      (await options.behaviour?.[task.task_id]?.evaluate?.()) ?? { metrics: { correct: true } },
  };
}

function harness(options: ScenarioOptions, executions: string[]): Harness {
  const collects = Object.values(options.behaviour ?? {}).some((one) => one.collect);
  return {
    ...(collects && {
      doCollect: async (ask: CollectAsk) => (await options.behaviour?.[ask.prepared.task_id]?.collect?.(ask)) ?? {},
    }),
    id: "agent",
    parallelAttemptsSafe: options.parallel ?? false,
    delivers: ["text"],
    needsModel: true,
    runsCommands: false,
    protocols: ["openai-chat"],
    defaultRunTimeoutSeconds: options.harnessTimeoutSeconds ?? null,
    doRun: async (ask) => {
      const id = ask.prepared.task_id;
      executions.push(id);
      const count = executions.filter((one) => one === id).length;
      const answer = (await options.behaviour?.[id]?.run?.(ask, count)) ?? "42";
      return { final_answer: answer, trajectory: null, issues: [], artifacts: {}, telemetry: {} };
    },
  };
}

function environment(options: ScenarioOptions, open: Set<EnvironmentSession>): Environment {
  let opened = 0;
  return {
    id: "place",
    networkModes: ["public"],
    resourceFields: [],
    ownsFilesystem: true,
    doOpen: async (ask) => {
      opened += 1;
      await options.open?.(opened, ask);
      const session: EnvironmentSession = {
        workdir: "/work",
        scratch: "/scratch",
        exec: options.exec ?? (() => Promise.reject(new Error("nothing runs here"))),
        upload: async () => {},
        download: async () => {},
        readText: async () => undefined,
        writeText: async () => {},
        remove: async () => {},
        close: async () => {
          await options.close?.();
          open.delete(session);
        },
      };
      open.add(session);
      return session;
    },
  };
}

/** The parsed JSON of a file of the run `r` of request `one`. */
export function json(scenario: Scenario, key: string, request = "one"): Record<string, unknown> {
  const text = scenario.store.text(`${request}/r/${key}`);
  if (text === undefined) throw new Error(`${key} is not there`);
  return JSON.parse(text) as Record<string, unknown>;
}
