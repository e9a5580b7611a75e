import { ModelFailure } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { describe, expect, it, onTestFinished } from "vitest";
import { modelSpec } from "../../testing/model-spec.ts";
import { type ModelReply, type ModelServer, startModelServer } from "../../testing/scripted-model-server.ts";
import { createModel, MODEL_PROTOCOLS } from "./protocol.ts";

const USER = { role: "user", content: "?" } as const;

async function serverFor(...script: ModelReply[]): Promise<ModelServer> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
}

async function failureOf(protocol: string, spec: ModelSpec, params = {}): Promise<ModelFailure> {
  const error = await createModel(protocol, spec)
    .complete({ messages: [USER], params })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

describe.each(MODEL_PROTOCOLS)("a failed call of %s", (protocol) => {
  it.each([401, 402, 403])("with HTTP %i is not repeated, even where the endpoint says so", async (status) => {
    const server = await serverFor({ status, headers: { "x-should-retry": "true", "retry-after-ms": "1" } });
    expect(await failureOf(protocol, modelSpec(server.url))).toMatchObject({ status, code: "model_failed" });
    expect(server.requests).toHaveLength(1);
  });

  it("with a short Retry-After is repeated after it, in seconds and as a date", async () => {
    const date = new Date(Date.now() + 1000).toUTCString();
    const server = await serverFor(
      { status: 429, headers: { "retry-after": "0.02" } },
      { status: 503, headers: { "retry-after": date } },
      {},
    );
    const answer = await createModel(protocol, modelSpec(server.url)).complete({ messages: [USER] });
    expect(answer.content).toBe("The answer is 42.");
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    { case: "seconds", header: () => "120", least: 120_000 },
    { case: "a date", header: () => new Date(Date.now() + 120_000).toUTCString(), least: 115_000 },
  ])("with a long Retry-After in $case is left to the caller, who is told", async ({ header, least }) => {
    const server = await serverFor({ status: 429, headers: { "retry-after": header() } });
    const { retryAfterMs } = await failureOf(protocol, modelSpec(server.url));
    expect(retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(retryAfterMs).toBeLessThanOrEqual(120_000);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    { status: 400, body: { error: { code: "context_length_exceeded", message: "too long" } } },
    {
      status: 400,
      body: { type: "error", error: { type: "invalid_request_error", message: "prompt is too long: 3 > 2" } },
    },
    { status: 500, body: { error: { message: "the request exceeds the available context size" } } },
  ])("with $body is an overflow of the context, and not repeated", async ({ status, body }) => {
    const server = await serverFor({ status, body, headers: { "retry-after-ms": "1" } });
    const failure = await failureOf(protocol, modelSpec(server.url));
    expect(failure).toMatchObject({ reason: "status", status, code: "model_context_overflow" });
    expect(server.requests).toHaveLength(1);
  });

  it("names a refused parameter and where to change it, and is not repeated", async () => {
    const error = { message: "seed: Extra inputs are not permitted", type: "invalid_request_error" };
    const server = await serverFor({ status: 400, body: { type: "error", error } });
    const failure = await failureOf(protocol, modelSpec(server.url, { params: { seed: 7 } }));
    expect(failure).toMatchObject({ status: 400, code: "model_parameter_unsupported" });
    expect(failure.message).toBe(
      'the endpoint refuses "seed"; change or remove it in model.params: HTTP 400: BadRequestError: Error code: 400 - seed: Extra inputs are not permitted',
    );
    expect(server.requests).toHaveLength(1);
  });

  it("names the parameter as the spec calls it, and says when it is not of the spec", async () => {
    const body = {
      error: {
        message: "Unsupported parameter: this is not supported with this model.",
        code: "unsupported_parameter",
        param: "max_tokens",
      },
    };
    const server = await serverFor({ status: 400, body });
    if (protocol !== "openai-responses")
      expect((await failureOf(protocol, modelSpec(server.url, { params: { max_tokens: 7 } }))).message).toMatch(
        /refuses "max_tokens"; change or remove it in model\.params/,
      );
    const failure = await failureOf(protocol, modelSpec(server.url), { top_k: 3 });
    expect(failure.code).toBe("model_failed");
    const other = await serverFor({ status: 400, body: { error: { message: "Unknown parameter: 'top_k'." } } });
    expect((await failureOf(protocol, modelSpec(other.url), { top_k: 3 })).message).toMatch(
      /refuses "top_k", which is not in model\.params but comes from the task or the harness/,
    );
  });

  it("never shows the key", async () => {
    const key = "sk-canary-123456";
    const server = await serverFor(
      { status: 401, error: `bad key ${key}` },
      { body: { error: { message: `bad ${key}` } } },
    );
    for (const _ of [1, 2]) {
      const failure = await failureOf(protocol, modelSpec(server.url, { api_key: key }));
      expect(failure.message).toContain("bad");
      expect(`${failure.message}${failure.stack}${JSON.stringify(failure)}`).not.toContain(key);
    }
  });

  it("shows no query of the address, which may hold a key", async () => {
    const server = await serverFor({ body: {} });
    const failure = await failureOf(protocol, modelSpec(`${server.url}?code=secret-of-the-gateway`));
    expect(failure.message).toContain(`${server.url} sent`);
    expect(failure.message).not.toContain("secret-of-the-gateway");
  });

  it("ends with the signal's reason when it is aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const server = await startModelServer(() => {
      setTimeout(() => controller.abort(reason), 5);
      return { hang: "request" };
    });
    onTestFinished(() => server.close());
    const model = createModel(protocol, modelSpec(server.url));
    await expect(model.complete({ messages: [USER], signal: controller.signal })).rejects.toBe(reason);
  });

  it("within the time of one call says how long that was", async () => {
    const server = await serverFor({ hang: "body" });
    const failure = await failureOf(protocol, modelSpec(server.url, { params: { timeout: 0.05 } }));
    expect(failure).toMatchObject({
      code: "model_timeout",
      message: `no answer from ${server.url} within 0.05 s (model.params.timeout)`,
    });
  });
});

describe("a 404 of an address without a path", () => {
  it.each([
    { protocol: "openai-chat", path: "", says: true },
    { protocol: "openai-responses", path: "/", says: true },
    { protocol: "openai-chat", path: "/v1", says: false },
    { protocol: "anthropic", path: "", says: false },
  ])("says where most endpoints answer ($protocol at '$path': $says)", async ({ protocol, path, says }) => {
    const server = await serverFor({ status: 404, error: "not here" });
    const failure = await failureOf(protocol, modelSpec(server.url.replace(/\/v1$/, path)));
    expect(failure.message).toContain("Error code: 404 - not here");
    expect(failure.message.includes("has no path; most endpoints answer below /v1")).toBe(says);
  });
});

describe.each(MODEL_PROTOCOLS)("calls of %s", (protocol) => {
  it("one after the other share a connection, whatever their key", async () => {
    const server = await serverFor({});
    for (const api_key of ["key-a", "key-b", "key-a"])
      await createModel(protocol, modelSpec(server.url, { api_key })).complete({ messages: [USER] });
    expect(server.requests).toHaveLength(3);
    expect(server.connections).toBe(1);
  });
});

it.each(MODEL_PROTOCOLS)("an answer of %s with more levels than can be written down is none", async (protocol) => {
  const levels = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const body = `{"choices":[{"message":{}}],"output":[${levels}],"content":[{"type":"tool_use","input":${levels}}],"x":${levels}}`;
  const failure = await failureOf(protocol, modelSpec((await serverFor({ body })).url));
  expect(failure).toMatchObject({ reason: "protocol", message: expect.stringContaining("too many levels") });
});

describe("secrets", () => {
  const key = "key-0123456789-abcdefghij";

  it("of a header that cannot be sent stay out of the failure", async () => {
    const extra_headers = { "x-key": `${key}\nmore` };
    const failure = await failureOf("openai-chat", modelSpec("http://127.0.0.1:9/v1", { params: { extra_headers } }));
    expect(failure.message).toContain("invalid header value");
    expect(failure.message).not.toContain("0123456789");
  });

  it.each(["text/html", "application/json"])(
    "that an endpoint sends back as %s are not shown in part",
    async (type) => {
      for (let before = 40; before < 84; before += 1) {
        const server = await startModelServer([{ body: `${" ".repeat(before)}${key}`, contentType: type }]);
        const failure = await failureOf("openai-chat", modelSpec(server.url, { api_key: key }));
        await server.close();
        expect(failure.message).toContain("sent text that is not JSON");
        expect(failure.message).not.toMatch(/key-0/);
      }
    },
  );
});
