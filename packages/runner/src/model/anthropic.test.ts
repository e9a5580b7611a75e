import { assistantMessage, type ChatMessage, ModelFailure } from "@agentcompass/core/plugin";
import type { Params } from "@agentcompass/core/spec";
import { describe, expect, it, onTestFinished } from "vitest";
import { modelSpec } from "../../testing/model-spec.ts";
import { type ModelReply, type ModelServer, startModelServer } from "../../testing/scripted-model-server.ts";
import { createModel } from "./protocol.ts";

const USER: ChatMessage = { role: "user", content: "What is 6*7?" };
const call = (id: string) => ({ id, type: "function", function: { name: "add", arguments: '{"a":1}' } }) as const;
const ADD = { type: "function", function: { name: "add", description: "Adds.", parameters: { type: "object" } } };

async function serverFor(...script: ModelReply[]): Promise<ModelServer> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
}

async function ask(server: ModelServer, messages: readonly ChatMessage[], params: Params = {}, tools: unknown[] = []) {
  const model = createModel("anthropic", modelSpec(server.url, { params, api_key: "k" }));
  const answer = await model.complete({ messages, tools });
  return { answer, request: server.requests.at(-1)! };
}

describe("an answer of anthropic", () => {
  it("carries text, reasoning, tool calls, stop reason and usage with its caches", async () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 4, output_tokens: 7 };
    const server = await serverFor({ content: "Hm.", reasoning: "I add.", tool_calls: [call("t1")], usage });
    const { answer, request } = await ask(server, [USER]);
    expect(request.headers).toMatchObject({ "x-api-key": "k", "anthropic-version": "2023-06-01" });
    expect(request.authorization).toBeUndefined();
    expect(answer).toMatchObject({
      content: "Hm.",
      reasoning_content: "I add.",
      tool_calls: [call("t1")],
      stop_reason: "tool_calls",
      usage: {
        prompt_tokens: 12,
        completion_tokens: 7,
        cache_tokens: 3,
        cache_write_tokens: 4,
        reasoning_tokens: null,
      },
      returned_model: "m",
    });
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool_calls"],
    ["refusal", "error"],
    ["pause_turn", "error"],
  ])("that stops with %s stops with %s", async (stop_reason, projected) => {
    const server = await serverFor({ stop_reason });
    expect((await ask(server, [USER])).answer.stop_reason).toBe(projected);
  });

  it("is none without content", async () => {
    const server = await serverFor({ body: { type: "error", error: { type: "overloaded_error", message: "busy" } } });
    const error = await ask(server, [USER]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelFailure);
    expect(error).toMatchObject({ reason: "protocol", message: expect.stringContaining('the error "busy"') });
  });
});

describe("a request of anthropic", () => {
  it("joins system messages, and the results of all calls of a turn into one", async () => {
    const server = await serverFor({});
    const { request } = await ask(server, [
      { role: "system", content: "Be brief." },
      USER,
      { role: "assistant", content: "I add.", tool_calls: [call("t1"), call("t2")] },
      { role: "tool", tool_call_id: "t1", content: "2" },
      { role: "tool", tool_call_id: "t2", content: [{ type: "text", text: "3" }] },
      { role: "user", content: "And?" },
      { role: "assistant", content: null },
      { role: "developer", content: "In English." },
      { role: "user", content: "Well?" },
    ]);
    const use = (id: string) => ({ type: "tool_use", id, name: "add", input: { a: 1 } });
    expect(request.path).toBe("/v1/messages");
    expect(request.body).toEqual({
      model: "m",
      max_tokens: 8192,
      system: "Be brief.\n\nIn English.",
      messages: [
        { role: "user", content: "What is 6*7?" },
        { role: "assistant", content: [{ type: "text", text: "I add." }, use("t1"), use("t2")] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: "2" },
            { type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "3" }] },
            { type: "text", text: "And?" },
            { type: "text", text: "Well?" },
          ],
        },
      ],
    });
  });

  it("keeps marks for caching, and sends pictures in their own form", async () => {
    const marked = { type: "text", text: "Long.", cache_control: { type: "ephemeral" } };
    const picture = (url: string) => ({ type: "image_url", image_url: { url } });
    const { request } = await ask(await serverFor({}), [
      { role: "system", content: [marked] },
      { role: "user", content: [marked, picture("data:image/png;base64,AA=="), picture("https://h/a.png")] },
    ]);
    expect(request.body.system).toEqual([marked]);
    expect(request.body.messages[0].content).toEqual([
      marked,
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
      { type: "image", source: { type: "url", url: "https://h/a.png" } },
    ]);
  });

  it.each([
    { text: '"x"', input: { arguments: "x" } },
    { text: "{broken", input: { arguments: "{broken" } },
    { text: "", input: {} },
  ])("sends arguments $text as a mapping", async ({ text, input }) => {
    const odd = { ...call("t1"), function: { name: "add", arguments: text } };
    const { request } = await ask(await serverFor({}), [USER, { role: "assistant", content: null, tool_calls: [odd] }]);
    expect(request.body.messages[1].content).toEqual([{ type: "tool_use", id: "t1", name: "add", input }]);
  });

  it.each<{ params: Params; sent: object }>([
    { params: {}, sent: { max_tokens: 8192 } },
    { params: { temperature: null, max_tokens: 7 }, sent: { max_tokens: 7 } },
    { params: { max_completion_tokens: 7, temperature: 0.5 }, sent: { max_tokens: 7, temperature: 0.5 } },
    {
      params: { thinking: { type: "enabled", budget_tokens: 2000 } },
      sent: { max_tokens: 10_192, thinking: { type: "enabled", budget_tokens: 2000 } },
    },
    {
      params: { stop: "END", user: "u", max_tokens: 7 },
      sent: { max_tokens: 7, stop_sequences: ["END"], metadata: { user_id: "u" } },
    },
    { params: { reasoning_effort: "low", max_tokens: 7 }, sent: { max_tokens: 7, output_config: { effort: "low" } } },
    {
      params: {
        max_tokens: 7,
        response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } },
      },
      sent: { max_tokens: 7, output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
    },
    { params: { max_tokens: 7, tool_choice: "auto", parallel_tool_calls: false }, sent: { max_tokens: 7 } },
  ])("sends $params as $sent", async ({ params, sent }) => {
    const { request } = await ask(await serverFor({}), [USER], params);
    const { model: _model, messages: _messages, ...rest } = request.body;
    expect(rest).toEqual(sent);
  });

  it.each<{ params: Params; choice: object | undefined }>([
    { params: {}, choice: undefined },
    { params: { parallel_tool_calls: true }, choice: undefined },
    { params: { parallel_tool_calls: false }, choice: { type: "auto", disable_parallel_tool_use: true } },
    { params: { tool_choice: "required" }, choice: { type: "any" } },
    { params: { tool_choice: "none", parallel_tool_calls: false }, choice: { type: "none" } },
    { params: { tool_choice: { type: "function", function: { name: "add" } } }, choice: { type: "tool", name: "add" } },
    { params: { tool_choice: { type: "tool", name: "add" } }, choice: { type: "tool", name: "add" } },
  ])("lets tools be chosen by $params as $choice", async ({ params, choice }) => {
    const { request } = await ask(await serverFor({}), [USER], params, [ADD]);
    expect(request.body.tool_choice).toEqual(choice);
    expect(request.body.tools).toEqual([{ name: "add", description: "Adds.", input_schema: { type: "object" } }]);
    expect(request.body).not.toHaveProperty("parallel_tool_calls");
  });

  it("sends back what the provider sent, thinking and its signature included", async () => {
    const server = await serverFor({ content: "Hm.", reasoning: "hm", tool_calls: [call("t1")] }, {});
    const { answer } = await ask(server, [USER], {}, [ADD]);
    const result: ChatMessage = { role: "tool", tool_call_id: "t1", content: "2" };
    const { request } = await ask(server, [USER, assistantMessage(answer), result], {}, [ADD]);
    expect(request.body.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "sig" },
          { type: "text", text: "Hm." },
          { type: "tool_use", id: "t1", name: "add", input: { a: 1 } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "2" }] },
    ]);
  });

  it("takes nothing from ANTHROPIC_ variables", async () => {
    const server = await serverFor({});
    const before = { ...process.env };
    Object.assign(process.env, {
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      ANTHROPIC_API_KEY: "sk-of-the-caller",
      ANTHROPIC_AUTH_TOKEN: "token-of-the-caller",
      ANTHROPIC_CUSTOM_HEADERS: "x-leak: yes",
      ANTHROPIC_PROFILE: "caller",
    });
    onTestFinished(() => {
      for (const name of Object.keys(process.env)) if (name.startsWith("ANTHROPIC_")) delete process.env[name];
      Object.assign(process.env, before);
    });
    await createModel("anthropic", modelSpec(server.url)).complete({ messages: [USER] });
    expect(process.env["ANTHROPIC_CUSTOM_HEADERS"]).toBe("x-leak: yes");
    const headers = server.requests[0]?.headers ?? {};
    expect(headers["x-api-key"]).toBe("EMPTY");
    for (const name of ["authorization", "x-leak"]) expect(headers[name]).toBeUndefined();
  });
});
