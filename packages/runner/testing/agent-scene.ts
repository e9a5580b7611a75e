import type {
  EnvironmentSession,
  ExecAsk,
  Harness,
  HarnessRun,
  Model,
  ModelAnswer,
  ModelAsk,
  PreparedTask,
  RunAsk,
  ToolCall,
} from "@agentcompass/core/plugin";
import type { LogRecord } from "@agentcompass/core/port";
import { FakeClock } from "@agentcompass/core/testing";

export type ScriptedAnswer = Partial<ModelAnswer> | Error;

export type AgentScene = {
  readonly clock: FakeClock;
  readonly asks: readonly ModelAsk[];
  readonly logged: readonly LogRecord[];
  /** Runs the agent, moving the clock on while it sleeps. */
  run(over?: Partial<RunAsk>): Promise<HarnessRun>;
};

const ANSWER: ModelAnswer = {
  content: "",
  reasoning_content: null,
  tool_calls: null,
  stop_reason: "stop",
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    cache_tokens: 0,
    reasoning_tokens: null,
    cost_usd: 0,
    cost_source: "unknown",
  },
  returned_model: "scripted",
  latency_ms: 91.6234,
};

/** An agent whose model answers, or fails, in order and then repeats the last; `session` is where its commands run. */
export function agentScene(
  harness: Harness,
  session: EnvironmentSession,
  script: readonly (ScriptedAnswer | ((ask: ModelAsk) => ScriptedAnswer | Promise<ScriptedAnswer>))[],
): AgentScene {
  const clock = new FakeClock();
  const asks: ModelAsk[] = [];
  const logged: LogRecord[] = [];
  const model: Model = {
    async complete(ask) {
      asks.push(ask);
      const scripted = script[Math.min(asks.length, script.length) - 1] ?? {};
      const next = typeof scripted === "function" ? await scripted(ask) : scripted;
      if (next instanceof Error) throw next;
      return { ...ANSWER, ...next };
    },
  };
  const ask = {
    params: {},
    prepared: preparedTask({ prompt: "Say hello." }),
    modelSpec: { id: "m", base_url: "", api_key: "", api_protocol: "auto", params: {}, wrap_api_key: false },
    model,
    applyReference: undefined,
    deadlineAt: undefined,
    clock,
    signal: new AbortController().signal,
    log: (record: LogRecord) => logged.push(record),
    session,
  } satisfies RunAsk;
  return { clock, asks, logged, run: (over) => clock.runUntil(harness.doRun({ ...ask, ...over })) };
}

export function preparedTask(
  input: Partial<PreparedTask["input"]>,
  output: Partial<PreparedTask["output"]> = {},
): PreparedTask {
  const empty = { prompt: "", system_prompt: null, media: [], files: [], workspace: null, tools: [], messages: [] };
  return {
    task_id: "t",
    category: null,
    ground_truth: null,
    input: { ...empty, ...input },
    output: { answer: null, files: [], ...output },
    metadata: {},
  };
}

/** A reply that calls the tool `bash` once for each command; anything but text goes in as it is. */
export function bashCalls(...commands: readonly unknown[]): Partial<ModelAnswer> {
  const calls = commands.map(
    (command, index): ToolCall => ({
      id: `c${index + 1}`,
      type: "function",
      function: { name: "bash", arguments: JSON.stringify({ command }) },
    }),
  );
  return { tool_calls: calls, stop_reason: "tool_calls" };
}

/** A session that runs nothing and answers each command by the given output. */
export function scriptedSession(
  answer: (ask: ExecAsk) => { stdout?: string; returncode?: number; timed_out?: boolean } | Promise<never> = () => ({}),
): EnvironmentSession & { readonly commands: ExecAsk[] } {
  const commands: ExecAsk[] = [];
  const files = new Map<string, string>();
  return {
    workdir: "/place/work",
    scratch: "/place/scratch",
    commands,
    async exec(ask) {
      commands.push(ask);
      const given = await answer(ask);
      return { returncode: 0, stdout: "", stderr: "", timed_out: false, dropped_bytes: 0, duration_ms: 1, ...given };
    },
    upload: async () => {},
    download: async () => {},
    readText: async (path) => files.get(path),
    writeText: async (path, text) => {
      files.set(path, text);
    },
    remove: async () => {},
    close: async () => {},
  };
}
