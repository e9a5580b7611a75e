import { assistantMessage, type ChatMessage, ModelFailure } from "@agentcompass/core/plugin";
import type { Params } from "@agentcompass/core/spec";
import { describe, expect, it, onTestFinished } from "vitest";
import { modelSpec } from "../../testing/model-spec.ts";
import { type ModelReply, type ModelServer, startModelServer } from "../../testing/scripted-model-server.ts";
import { createModel } from "./protocol.ts";

const USER: ChatMessage = { role: "user", content: "What is 6*7?" };
const CALL = { id: "call_1", type: "function", function: { name: "add", arguments: '{"a":1}' } } as const;
const ADD = { type: "function", function: { name: "add", description: "Adds.", parameters: { type: "object" } } };

async function serverFor(...script: ModelReply[]): Promise<ModelServer> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
}

async function ask(server: ModelServer, messages: readonly ChatMessage[], params: Params = {}, tools: unknown[] = []) {
  const model = createModel("openai-responses", modelSpec(server.url, { params, api_key: "k" }));
  const answer = await model.complete({ messages, tools });
  return { answer, request: server.requests.at(-1)! };
}

describe("an answer of openai-responses", () => {
  it("carries text, reasoning, tool calls, stop reason and usage", async () => {
    const usage = {
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
    };
    const server = await serverFor({ content: "Hm.", reasoning: "I add.", tool_calls: [CALL], usage, model: "m-2026" });
    const { answer, request } = await ask(server, [USER]);
    expect(request.authorization).toBe("Bearer k");
    expect(answer).toMatchObject({
      content: "Hm.",
      reasoning_content: "I add.",
      tool_calls: [CALL],
      stop_reason: "tool_calls",
      usage: { prompt_tokens: 11, completion_tokens: 7, cache_tokens: 3, reasoning_tokens: 2, cost_source: "unknown" },
      returned_model: "m-2026",
    });
    expect(answer.latency_ms).toBeGreaterThan(0);
  });

  it.each([
    { case: "a whole answer", body: { status: "completed", output: [] }, reason: "stop" },
    {
      case: "a cut one",
      body: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      reason: "length",
    },
    {
      case: "a filtered one",
      body: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      reason: "error",
    },
    { case: "a cancelled one", body: { status: "cancelled" }, reason: "error" },
  ])("stops with $reason for $case", async ({ body, reason }) => {
    const server = await serverFor({ body: { output: [], ...body } });
    expect((await ask(server, [USER])).answer).toMatchObject({ content: "", tool_calls: null, stop_reason: reason });
  });

  it("joins the texts of all messages, a refusal among them, and shows reasoning that is open", async () => {
    const output = [
      { type: "reasoning", content: [{ type: "reasoning_text", text: "open" }], summary: [{ text: "short" }] },
      {
        type: "message",
        content: [
          { type: "output_text", text: "a" },
          { type: "refusal", refusal: "b" },
        ],
      },
      { type: "web_search_call", id: "w" },
      { type: "message", content: [{ type: "output_text", text: "c" }] },
    ];
    const server = await serverFor({ body: { status: "completed", output } });
    expect((await ask(server, [USER])).answer).toMatchObject({ content: "abc", reasoning_content: "open" });
  });

  it.each([
    { case: "no output", body: {}, text: "an answer without output", code: "model_failed" },
    {
      case: "a chat completion",
      body: { choices: [] },
      text: "check that base_url and api_protocol",
      code: "model_failed",
    },
    {
      case: "a failure",
      body: { status: "failed", output: [], error: { message: "busy" } },
      text: '"busy"',
      code: "model_failed",
    },
    {
      case: "an overflow with status 200",
      body: { status: "failed", output: [], error: { code: "context_length_exceeded", message: "too long" } },
      text: "too long",
      code: "model_context_overflow",
    },
  ])("is none with $case", async ({ body, text, code }) => {
    const server = await serverFor({ body });
    const error = await ask(server, [USER]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelFailure);
    expect(error).toMatchObject({ reason: "protocol", code, message: expect.stringContaining(text) });
  });
});

it.each([
  ['{"a":1}', '{"a":1}'],
  [{ a: 1 }, '{"a":1}'],
  [undefined, "{}"],
])("reads arguments sent as %j", async (sent, read) => {
  const output = [{ type: "function_call", call_id: "c", name: "add", arguments: sent }];
  const { answer } = await ask(await serverFor({ body: { output } }), [USER]);
  expect(answer.tool_calls?.[0]?.function.arguments).toBe(read);
});

describe("a request of openai-responses", () => {
  it("sends the conversation as items", async () => {
    const server = await serverFor({});
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==", detail: "low" } };
    const { request } = await ask(server, [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Look:" }, image] },
      { role: "assistant", content: "I add.", reasoning_content: "hm", tool_calls: [CALL] },
      { role: "tool", tool_call_id: "call_1", content: "2" },
      { role: "assistant", content: null, tool_calls: [CALL] },
    ]);
    expect(request.path).toBe("/v1/responses");
    expect(request.body).toEqual({
      model: "m",
      input: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look:" },
            { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" },
          ],
        },
        { role: "assistant", content: "I add." },
        { type: "function_call", call_id: "call_1", name: "add", arguments: '{"a":1}' },
        { type: "function_call_output", call_id: "call_1", output: "2" },
        { type: "function_call", call_id: "call_1", name: "add", arguments: '{"a":1}' },
      ],
    });
  });

  it.each<{ params: Params; sent: object }>([
    { params: {}, sent: {} },
    { params: { temperature: null, max_tokens: null }, sent: {} },
    { params: { max_tokens: 7, temperature: 0.5 }, sent: { max_output_tokens: 7, temperature: 0.5 } },
    { params: { max_completion_tokens: 7, max_tokens: 9 }, sent: { max_output_tokens: 7 } },
    { params: { max_output_tokens: 5, max_tokens: 9 }, sent: { max_output_tokens: 5 } },
    { params: { reasoning_effort: "low" }, sent: { reasoning: { effort: "low" } } },
    {
      params: { reasoning_effort: "low", reasoning: { summary: "auto" } },
      sent: { reasoning: { effort: "low", summary: "auto" } },
    },
    {
      params: {
        response_format: { type: "json_schema", json_schema: { name: "n", schema: {}, strict: true } },
        verbosity: "low",
      },
      sent: { text: { format: { type: "json_schema", name: "n", schema: {}, strict: true }, verbosity: "low" } },
    },
    { params: { response_format: { type: "json_object" } }, sent: { text: { format: { type: "json_object" } } } },
    {
      params: { tool_choice: { type: "function", function: { name: "add" } } },
      sent: { tool_choice: { type: "function", name: "add" } },
    },
    { params: { tool_choice: "required", store: false }, sent: { tool_choice: "required", store: false } },
    { params: { stream: true, extra_body: { top_k: 3 } }, sent: { top_k: 3 } },
  ])("sends $params as $sent", async ({ params, sent }) => {
    const { request } = await ask(await serverFor({}), [USER], params);
    const { model: _model, input: _input, ...rest } = request.body;
    expect(rest).toEqual(sent);
  });

  it("sends functions that are not strict unless they say so, and the provider's own tools as they are", async () => {
    const strict = { type: "function", function: { ...ADD.function, strict: true } };
    const search = { type: "web_search" };
    const { request } = await ask(await serverFor({}), [USER], {}, [ADD, strict, search]);
    const add = { type: "function", name: "add", description: "Adds.", parameters: { type: "object" } };
    expect(request.body.tools).toEqual([{ ...add, strict: false }, { ...add, strict: true }, search]);
  });

  it("sends back what the provider sent, its reasoning included", async () => {
    const server = await serverFor({ content: null, reasoning: "hm", tool_calls: [CALL] }, {});
    const { answer } = await ask(server, [USER], {}, [ADD]);
    const result: ChatMessage = { role: "tool", tool_call_id: "call_1", content: "2" };
    const { request } = await ask(server, [USER, assistantMessage(answer), result], {}, [ADD]);
    expect(request.body.input.slice(1)).toEqual([
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "e" },
      { type: "function_call", id: "fc_call_1", call_id: "call_1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "call_1", output: "2" },
    ]);
  });

  it("leaves what another protocol sent aside", async () => {
    const server = await serverFor({});
    const foreign = { protocol: "anthropic", items: [{ type: "thinking" }] };
    const { request } = await ask(server, [USER, { role: "assistant", content: "a", provider_items: foreign }]);
    expect(request.body.input[1]).toEqual({ role: "assistant", content: "a" });
  });
});
