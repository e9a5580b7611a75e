import {
  type Model,
  type ModelAnswer,
  type ModelAsk,
  ModelFailure,
  type PreparedTask,
  type RunAsk,
} from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { openAiChat } from "./openai-chat.ts";

const USAGE = { prompt_tokens: 10, completion_tokens: 5, cache_tokens: 0, reasoning_tokens: null, cost_usd: 0 };
const ANSWER: ModelAnswer = {
  content: "The answer is 42.",
  reasoning_content: null,
  tool_calls: null,
  stop_reason: "stop",
  usage: USAGE,
  returned_model: "m",
  latency_ms: 91.6234,
};
const PROMPT = '[{"role": "user", "content": "What is 6*7?"}]';
const busy = new ModelFailure("status", "HTTP 503: InternalServerError: Error code: 503 - busy", { status: 503 });

/** Answers or throws in order, then repeats the last; `asks` and `slept` record what happened. */
function scene(script: readonly (Partial<ModelAnswer> | Error)[] = [{}], over: Partial<RunAsk> = {}) {
  const asks: ModelAsk[] = [];
  const slept: number[] = [];
  let now = Date.UTC(2026, 10, 29, 19, 34, 16, 744);
  const model: Model = {
    async complete(ask) {
      asks.push(ask);
      const next = script[Math.min(asks.length, script.length) - 1];
      if (next instanceof Error) throw next;
      now += 91;
      return { ...ANSWER, ...next };
    },
  };
  const ask = {
    params: {},
    prepared: prepared({ prompt: PROMPT }),
    modelSpec: { id: "m", base_url: "", api_key: "", api_protocol: "auto", params: {}, wrap_api_key: false },
    model,
    applyReference: undefined,
    deadlineAt: undefined,
    clock: {
      now: () => now,
      monotonic: () => now,
      offsetMinutes: () => 60,
      sleep: async (ms: number) => {
        slept.push(ms);
        now += ms;
      },
    },
    signal: new AbortController().signal,
    log: () => undefined,
    session: {} as RunAsk["session"],
    ...over,
  } satisfies RunAsk;
  return { asks, slept, run: () => openAiChat.doRun(ask), startedAt: now };
}

function prepared(input: Partial<PreparedTask["input"]>, metadata: PreparedTask["metadata"] = {}): PreparedTask {
  const empty = { prompt: "", system_prompt: null, media: [], files: [], workspace: null, tools: [], messages: [] };
  return {
    task_id: "t",
    category: null,
    ground_truth: null,
    input: { ...empty, ...input },
    output: { answer: null, files: [] },
    metadata,
  };
}

describe("openai_chat", () => {
  it("leaves trajectory, artifacts and telemetry in AgentCompass's form", async () => {
    expect(await scene().run()).toEqual({
      final_answer: "The answer is 42.",
      trajectory: {
        schema_version: "ACTF_v1.0",
        steps: [
          {
            step_id: 0,
            system_prompt: "",
            user_content: PROMPT,
            tools: [],
            assistant_content: { content: "The answer is 42.", reasoning_content: "", tool_calls: [] },
            observation: [],
            metric: {
              prompt_tokens_len: 10,
              completion_tokens_len: 5,
              llm_infer_ms: 91.62,
              env_action_ms: null,
              stop_reason: "stop",
            },
            started_at: "2026-11-29 20:34:16.744000",
            finished_at: "2026-11-29 20:34:16.835000",
          },
        ],
        started_at: "2026-11-29 20:34:16.744000",
        finished_at: "2026-11-29 20:34:16.835000",
      },
      issues: [],
      artifacts: {
        raw_result: {
          content: "The answer is 42.",
          reasoning_content: null,
          stop_reason: "stop",
          usage: { prompt_tokens: 10, completion_tokens: 5, cache_tokens: 0, cost_usd: 0 },
          tool_calls: null,
        },
      },
      telemetry: { llm_infer_ms: 91.62 },
    });
  });

  const user = (content: string) => ({ role: "user", content });
  const system = { role: "system", content: "Be brief." };
  it.each([
    { case: "a prompt of JSON messages", input: { prompt: PROMPT }, messages: [user("What is 6*7?")] },
    { case: "a plain prompt", input: { prompt: "[1, 2] sums to?" }, messages: [user("[1, 2] sums to?")] },
    { case: "a prompt that only looks like JSON", input: { prompt: "[x" }, messages: [user("[x")] },
    { case: "messages over the prompt", input: { prompt: "p", messages: [user("m")] }, messages: [user("m")] },
    { case: "a system prompt", input: { prompt: "p", system_prompt: "Be brief." }, messages: [system, user("p")] },
    {
      case: "the messages' own system prompt",
      input: { messages: [system, user("m")], system_prompt: "Other." },
      messages: [system, user("m")],
    },
  ])("sends $case", async ({ input, messages }) => {
    const { asks, run } = scene([{}], { prepared: prepared(input) });
    await run();
    expect(asks[0]?.messages).toEqual(messages);
  });

  it("sends the task's kwargs and tools", async () => {
    const tools = [{ type: "function", function: { name: "add" } }];
    const { asks, run } = scene([{}], { prepared: prepared({ prompt: "p" }, { kwargs: { max_tokens: 7 }, tools }) });
    const result = await run();
    expect(asks[0]).toMatchObject({ params: { max_tokens: 7 }, tools });
    expect(result.trajectory?.steps[0]?.tools).toEqual(tools);
  });

  it.each([
    { case: "an empty answer is", content: " \n", codes: ["model_empty_output"] },
    { case: "a tool call without text is not", content: "", calls: true, codes: [] },
  ])("$case an ERROR model_empty_output", async ({ content, calls, codes }) => {
    const call = { id: "c", type: "function", function: { name: "add", arguments: "{}" } } as const;
    const result = await scene([{ content, tool_calls: calls ? [call] : null }]).run();
    expect(result.issues.map((issue) => issue.code)).toEqual(codes);
    for (const issue of result.issues) expect(issue).toMatchObject({ severity: "error", phase: "run" });
    expect(result.final_answer).toBe(content);
  });

  it("refuses media and a missing model as fatal", async () => {
    const media = scene([{}], { prepared: prepared({ prompt: "p", media: [{}] }) });
    await expect(media.run()).rejects.toMatchObject({ name: "StageFailure", severity: "fatal" });
    await expect(scene([{}], { model: undefined }).run()).rejects.toMatchObject({ severity: "fatal" });
  });

  it("refuses parameters it does not know", async () => {
    await expect(scene([{}], { params: { max_retries: 0 } }).run()).rejects.toThrow();
    await expect(scene([{}], { params: { retries: 2 } }).run()).rejects.toThrow();
  });
});

describe("openai_chat after a failed call", () => {
  it("calls three times in total, 4 and 8 s apart, and throws the last failure", async () => {
    const { asks, slept, run } = scene([new ModelFailure("connection", "no"), new ModelFailure("timeout", "no"), busy]);
    await expect(run()).rejects.toBe(busy);
    expect(asks).toHaveLength(3);
    expect(slept).toEqual([4000, 8000]);
  });

  it("waits at most 30 s and takes the answer that comes", async () => {
    const { slept, run } = scene([busy, busy, busy, busy, busy, {}], { params: { max_retries: 9 } });
    expect((await run()).final_answer).toBe("The answer is 42.");
    expect(slept).toEqual([4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("waits as long as Retry-After asks, but not for more than ten minutes", async () => {
    const limited = (retryAfterMs: number) => new ModelFailure("status", "no", { status: 429, retryAfterMs });
    const { asks, slept, run } = scene([limited(90_000), limited(601_000)]);
    await expect(run()).rejects.toMatchObject({ retryAfterMs: 601_000 });
    expect(slept).toEqual([90_000]);
    expect(asks).toHaveLength(2);
  });

  it.each([400, 401, 402, 403, 404, 422])("does not repeat HTTP %i", async (status) => {
    const { asks, run } = scene([new ModelFailure("status", "no", { status })]);
    await expect(run()).rejects.toMatchObject({ status });
    expect(asks).toHaveLength(1);
  });

  it.each([408, 409, 429, 500, 503])("repeats HTTP %i", async (status) => {
    const { asks, run } = scene([new ModelFailure("status", "no", { status }), {}]);
    await run();
    expect(asks).toHaveLength(2);
  });

  it.each([
    { case: "an answer it cannot read", error: new ModelFailure("protocol", "no") },
    {
      case: "too long a conversation that the server calls its own failure",
      error: new ModelFailure("status", "no", { status: 500, code: "model_context_overflow" }),
    },
    { case: "an error of any other kind", error: new Error("stopped") },
  ])("does not repeat $case", async ({ error }) => {
    const { asks, run } = scene([error]);
    await expect(run()).rejects.toBe(error);
    expect(asks).toHaveLength(1);
  });

  it("gives up at once when the deadline comes before the next call", async () => {
    const { startedAt } = scene();
    const { asks, slept, run } = scene([busy], { deadlineAt: startedAt + 3999 });
    await expect(run()).rejects.toBe(busy);
    expect(asks).toHaveLength(1);
    expect(slept).toEqual([]);
  });
});
