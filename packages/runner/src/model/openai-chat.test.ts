import { ModelFailure } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { afterEach, describe, expect, it } from "vitest";
import { type ModelReply, type ModelServer, startModelServer } from "../../testing/scripted-model-server.ts";
import { createModel } from "./protocol.ts";

const AT_ONCE = { "retry-after-ms": "1" };
const MESSAGES = [{ role: "user", content: "What is 6*7?" }] as const;
const servers: ModelServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serverFor(...script: ModelReply[]): Promise<ModelServer> {
  const server = await startModelServer(script);
  servers.push(server);
  return server;
}

function specFor(base_url: string, over: Partial<ModelSpec> = {}): ModelSpec {
  return { id: "m", base_url, api_key: "", api_protocol: "openai-chat", params: {}, wrap_api_key: false, ...over };
}

async function failureOf(spec: ModelSpec, ask = {}): Promise<ModelFailure> {
  const error = await createModel("openai-chat", spec)
    .complete({ messages: MESSAGES, ...ask })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

describe("an answer", () => {
  it("carries text, reasoning, tool calls, stop reason, usage, the returned model and its latency", async () => {
    const call = { id: "call_1", type: "function", function: { name: "add", arguments: '{"a":1}' } };
    const usage = {
      prompt_tokens: 11,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 2 },
      cost: 0.25,
    };
    const server = await serverFor({
      content: null,
      reasoning: "hm",
      tool_calls: [call],
      stop_reason: "tool_calls",
      usage,
      model: "m-2026",
    });
    const answer = await createModel("openai-chat", specFor(server.url)).complete({ messages: MESSAGES });
    expect(answer).toEqual({
      content: "",
      reasoning_content: "hm",
      tool_calls: [call],
      stop_reason: "tool_calls",
      usage: {
        prompt_tokens: 11,
        completion_tokens: 7,
        cache_tokens: 3,
        reasoning_tokens: 2,
        cost_usd: 0.25,
        cost_source: "endpoint",
      },
      returned_model: "m-2026",
      latency_ms: expect.any(Number),
    });
    expect(answer.latency_ms).toBeGreaterThan(0);
  });

  it("prefers reasoning_content, joins content parts and does without usage", async () => {
    const body = {
      choices: [{ message: { content: [{ type: "text", text: "a" }, { text: "b" }], reasoning_content: "r" } }],
    };
    const server = await serverFor({ body });
    const answer = await createModel("openai-chat", specFor(server.url)).complete({ messages: MESSAGES });
    expect(answer).toMatchObject({ content: "ab", reasoning_content: "r", stop_reason: null, returned_model: null });
    expect(answer.usage).toEqual({
      prompt_tokens: 0,
      completion_tokens: 0,
      cache_tokens: 0,
      reasoning_tokens: null,
      cost_usd: 0,
      cost_source: "unknown",
    });
  });

  it("is read from JSON sent as plain text", async () => {
    const server = await serverFor({ contentType: "text/plain" });
    const answer = await createModel("openai-chat", specFor(server.url)).complete({ messages: MESSAGES });
    expect(answer.content).toBe("The answer is 42.");
  });
});

describe("a request", () => {
  it("holds the model's parameters under the call's, and none that was not set", async () => {
    const server = await serverFor({});
    const spec = specFor(server.url, { params: { max_tokens: 128, top_p: 0.5, temperature: null, stream: true } });
    await createModel("openai-chat", spec).complete({ messages: MESSAGES, params: { top_p: 0.9 }, tools: [] });
    expect(server.requests[0]?.body).toEqual({ model: "m", messages: MESSAGES, max_tokens: 128, top_p: 0.9 });
    expect(server.requests[0]?.path).toBe("/v1/chat/completions");
  });

  it("understands extra_body and extra_headers of the Python client", async () => {
    const server = await serverFor({});
    const params = { extra_body: { top_k: 20 }, extra_headers: { "x-team": "blue" } };
    await createModel("openai-chat", specFor(server.url, { params })).complete({ messages: MESSAGES });
    expect(server.requests[0]?.body.top_k).toBe(20);
    expect(server.requests[0]?.body.extra_body).toBeUndefined();
    expect(server.requests[0]?.headers["x-team"]).toBe("blue");
  });

  it.each([
    { case: "a key as it is", key: "sk-1234", wrap: false, run: "/r", sent: "sk-1234" },
    { case: "a placeholder without a key", key: "", wrap: false, run: "/r", sent: "EMPTY" },
    { case: "the raw key outside a run", key: "sk-1234", wrap: true, run: undefined, sent: "sk-1234" },
    {
      case: "the wrapped key in a run",
      key: "sk-1234",
      wrap: true,
      run: "/r",
      sent: Buffer.from("<api_secret>sk-1234</api_secret><session_id>/r</session_id>").toString("base64"),
    },
  ])("carries $case", async ({ key, wrap, run, sent }) => {
    const server = await serverFor({});
    const spec = specFor(server.url, { api_key: key, wrap_api_key: wrap });
    await createModel("openai-chat", spec, run === undefined ? {} : { runDirectory: run }).complete({
      messages: MESSAGES,
    });
    expect(server.requests[0]?.authorization).toBe(`Bearer ${sent}`);
  });

  it("takes nothing from OPENAI_ variables", async () => {
    const server = await serverFor({});
    const variables = {
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_API_KEY: "sk-of-the-caller",
      OPENAI_ORG_ID: "org-1",
      OPENAI_PROJECT_ID: "project-1",
      OPENAI_CUSTOM_HEADERS: "x-leak: yes",
    };
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      await createModel("openai-chat", specFor(server.url)).complete({ messages: MESSAGES });
      expect(process.env["OPENAI_CUSTOM_HEADERS"]).toBe("x-leak: yes");
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      Object.assign(process.env, before);
    }
    const headers = server.requests[0]?.headers ?? {};
    expect(headers.authorization).toBe("Bearer EMPTY");
    for (const name of ["openai-organization", "openai-project", "x-leak"]) expect(headers[name]).toBeUndefined();
  });

  it("reuses connections: 96 requests, 32 at a time, open at most 32", async () => {
    let waiting: (() => void)[] = [];
    // Nobody is answered before 32 have asked, so that all 32 are in flight however slow the machine is.
    const server = await startModelServer(async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < 32) return;
        for (const answer of waiting) answer();
        waiting = [];
      });
      return {};
    });
    servers.push(server);
    const models = [0, 1, 2, 3].map((index) =>
      createModel("openai-chat", specFor(server.url, { api_key: `key-${index}` })),
    );
    const worker = async (index: number) => {
      for (let round = 0; round < 3; round += 1) await models[index % 4]!.complete({ messages: MESSAGES });
    };
    await Promise.all(Array.from({ length: 32 }, (_, index) => worker(index)));
    expect(server.requests).toHaveLength(96);
    expect(server.maxInFlight).toBe(32);
    expect(server.connections).toBeLessThanOrEqual(32);
  });
});

describe("a failure", () => {
  it.each([
    { status: 400, name: "BadRequestError", tries: 1 },
    { status: 401, name: "AuthenticationError", tries: 1 },
    { status: 402, name: "APIStatusError", tries: 1 },
    { status: 429, name: "RateLimitError", tries: 3 },
    { status: 500, name: "InternalServerError", tries: 3 },
  ])("with HTTP $status says so after $tries tries", async ({ status, name, tries }) => {
    const server = await serverFor({ status, body: `"stub failure ${status}"`, headers: AT_ONCE });
    const failure = await failureOf(specFor(server.url));
    expect(failure).toMatchObject({ reason: "status", status });
    expect(failure.message).toBe(`HTTP ${status}: ${name}: Error code: ${status} - stub failure ${status}`);
    expect(server.requests).toHaveLength(tries);
  });

  it.each([
    { case: "an error object", reply: { error: "no such model" }, text: "no such model" },
    { case: "a detail", reply: { body: { detail: "Not Found" } }, text: "Not Found" },
    { case: "plain text", reply: { body: "nothing\nhere", contentType: "text/plain" }, text: "nothing here" },
  ])("takes its text from $case", async ({ reply, text }) => {
    const server = await serverFor({ status: 404, ...reply });
    expect((await failureOf(specFor(server.url))).message).toBe(`HTTP 404: NotFoundError: Error code: 404 - ${text}`);
  });

  it("hands a long Retry-After to the caller instead of waiting in the client", async () => {
    const server = await serverFor({ status: 429, headers: { "retry-after": "120" } });
    expect((await failureOf(specFor(server.url))).retryAfterMs).toBe(120_000);
    expect(server.requests).toHaveLength(1);
  });

  it("of a refused connection names the address and the system's reason", async () => {
    const server = await startModelServer();
    await server.close();
    const failure = await failureOf(specFor(server.url));
    const { host } = new URL(server.url);
    expect(failure.reason).toBe("connection");
    expect(failure.message).toBe(`cannot reach ${server.url}: connect ECONNREFUSED ${host}`);
  });

  it("of a connection that breaks off is a connection failure", async () => {
    const server = await serverFor({ hang: "reset" });
    const failure = await failureOf(specFor(server.url));
    expect(failure.reason).toBe("connection");
    expect(server.requests).toHaveLength(3);
  });

  it.each(["request", "body"] as const)("of a hanging %s is a timeout", async (hang) => {
    const server = await serverFor({ hang });
    const failure = await failureOf(specFor(server.url), { timeoutMs: 50 });
    expect(failure).toMatchObject({
      reason: "timeout",
      message: `no answer from ${server.url} within 0.05 s (model.params.timeout)`,
    });
  });

  it.each([
    { case: "HTML", reply: { body: "<html>hello</html>", contentType: "text/html" }, text: "text that is not JSON" },
    { case: "broken JSON", reply: { body: '{"choices": [' }, text: "JSON" },
    { case: "no choice", reply: { body: { choices: [] } }, text: "an answer without a choice" },
    { case: "an error with 200", reply: { body: { error: { message: "busy" } } }, text: 'the error "busy"' },
    { case: "null", reply: { body: "null" }, text: "not a JSON object" },
  ])("of an answer that is $case is a protocol failure", async ({ reply, text }) => {
    const server = await serverFor(reply);
    const failure = await failureOf(specFor(server.url));
    expect(failure.reason).toBe("protocol");
    expect(failure.message).toContain(text);
  });

  it("never shows the key, however the endpoint repeats it", async () => {
    const key = "sk-canary-123456";
    const server = await serverFor(
      { status: 401, error: `Incorrect API key provided: ${key}` },
      { body: { error: { message: `bad ${key}` } } },
    );
    const spec = specFor(server.url, { api_key: key });
    for (const failure of [
      await failureOf(spec),
      await failureOf(spec),
      await failureOf({ ...spec, api_key: `${key}\n` }),
    ]) {
      expect(failure.message).not.toContain(key);
      expect(JSON.stringify(failure.cause ?? null)).not.toContain(key);
    }
  });

  it("of an address without scheme says what an address is", async () => {
    const failure = await failureOf(specFor("localhost:8000/v1"));
    expect(failure.message).toBe(
      'model.base_url "localhost:8000/v1" is no address: it must start with http:// or https://',
    );
  });
});

describe("an abort", () => {
  it("that comes while the client is still being loaded is heard, and nothing is sent", async () => {
    const server = await serverFor({ hang: "request" });
    const controller = new AbortController();
    const model = createModel("openai-chat", specFor(server.url));
    const call = model.complete({ messages: MESSAGES, signal: controller.signal });
    controller.abort(new Error("stop now"));
    await expect(call).rejects.toThrow("stop now");
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    { case: "while the model thinks", reply: { hang: "request" } as const },
    { case: "while the client waits before its retry", reply: { status: 503, headers: { "retry-after": "30" } } },
  ])("$case throws the signal's reason", async ({ reply }) => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const server = await startModelServer(() => {
      setTimeout(() => controller.abort(reason), 20);
      return reply;
    });
    servers.push(server);
    const model = createModel("openai-chat", specFor(server.url));
    await expect(model.complete({ messages: MESSAGES, signal: controller.signal })).rejects.toBe(reason);
  });
});
