import { type ModelHandler, type ModelServer, startModelServer } from "@agentcompass/runner/testing";
import type { RunEvaluationOptions } from "@agentcompass/sdk";
import { expect, it, onTestFinished } from "vitest";
import { createPlace, type Ended, namesIn, type Place, pause, refused, setVariable } from "./place.ts";

type Asked = {
  readonly place: Place;
  readonly server: ModelServer;
  ask(options?: Partial<RunEvaluationOptions>): Promise<Ended>;
};

/** One question of the benchmark `work` asked by `openai_chat`. */
async function createAsked(handler?: ModelHandler): Promise<Asked> {
  const place = await createPlace();
  const server = await startModelServer(handler);
  onTestFinished(() => server.close());
  const ask = (options: Partial<RunEvaluationOptions> = {}): Promise<Ended> =>
    place.run({
      harness: "openai_chat",
      harnessParams: { max_retries: 1 },
      model: "some-model",
      modelBaseUrl: server.url,
      modelApiKey: "sk-secret-of-the-test",
      ...options,
    });
  return { place, server, ask };
}

it("model: the id that the endpoint is asked for", async () => {
  const { server, ask } = await createAsked();
  const run = await ask({ model: "vendor/big:1" });
  expect(server.requests[0]?.body.model).toBe("vendor/big:1");
  expect(run.directory).toContain("/vendor_big_1_work_openai_chat/");
  expect((await run.json("run_info.json")).provenance.model.returned_ids).toEqual(["vendor/big:1"]);
});

it("model: none fits a harness that calls none, and no other", async () => {
  const { place, ask } = await createAsked();
  expect((await place.run({ model: "none" })).status).toBe("completed");
  expect(await refused(ask({ model: "none" }))).toMatch(/component.invalid: model.id: harness 'openai_chat'/);
});

it("modelParams: sent with every call as they are, but for what is null", async () => {
  const { server, ask } = await createAsked();
  await ask({
    benchmarkParams: { tasks: 2 },
    modelParams: {
      temperature: 0.25,
      seed: null,
      extra_body: { top_k: 3 },
      extra_headers: { "x-tenant": "a" },
      extra_query: { version: "7" },
    },
  });
  expect(server.requests).toHaveLength(2);
  for (const request of server.requests) {
    expect(request.body).toMatchObject({ temperature: 0.25, top_k: 3 });
    expect(Object.keys(request.body)).not.toContain("seed");
    expect(request.headers["x-tenant"]).toBe("a");
    expect(request.path).toContain("version=7");
  }
});

it("modelParams: timeout is the seconds that one call may take", async () => {
  const { ask } = await createAsked(async () => {
    await pause(400);
    return {};
  });
  const run = await ask({ modelParams: { timeout: 0.05 }, modelApiProtocol: "auto" });
  expect((await run.attempt()).issues[0]).toMatchObject({ severity: "error", code: "model_timeout" });
});

it("modelBaseUrl: the endpoint, or a whole reference to a variable", async () => {
  const { server, ask } = await createAsked();
  setVariable("ENDPOINT_OF_THE_TEST", server.url);
  const run = await ask({ modelBaseUrl: "${ENDPOINT_OF_THE_TEST}" });
  expect([run.status, server.requests.length]).toEqual(["completed", 1]);
  expect(await refused(ask({ modelBaseUrl: "${ENDPOINT_OF_THE_TEST}/more" }))).toContain("model.base_url");
});

it("modelApiKey: sent as it is or from a variable, and written nowhere", async () => {
  const { place, server, ask } = await createAsked();
  setVariable("KEY_OF_THE_TEST", "sk-from-the-variable");
  const runs = [await ask(), await ask({ modelApiKey: "${KEY_OF_THE_TEST}" })];
  expect(server.requests.map((request) => request.authorization)).toEqual([
    "Bearer sk-secret-of-the-test",
    "Bearer sk-from-the-variable",
  ]);
  for (const run of runs) {
    expect((await run.json("params.json")).model.api_key).toBe("********");
    for (const file of ["run_info.json", "params.json", "run.log", "progress.jsonl"])
      expect(await run.text(file)).not.toMatch(/sk-secret-of-the-test|sk-from-the-variable/);
  }
  expect(await namesIn(place.path)).toContain("results");
});

it("wrapApiKey: the key goes out with the run's directory, base64", async () => {
  const { server, ask } = await createAsked();
  const run = await ask({ wrapApiKey: true });
  const sent = Buffer.from(server.requests[0]?.authorization?.replace("Bearer ", "") ?? "", "base64").toString();
  expect(sent).toContain("<api_secret>sk-secret-of-the-test</api_secret>");
  expect(sent).toContain(`<session_id>${run.directory.replace(/\/$/, "")}`);
  await ask({ wrapApiKey: false });
  expect(server.requests[1]?.authorization).toBe("Bearer sk-secret-of-the-test");
});

it("modelApiProtocol: the first of the list that the harness speaks, chat completions for auto", async () => {
  const { server, ask } = await createAsked();
  const asked = async (modelApiProtocol: string | string[]) => {
    expect((await ask({ modelApiProtocol })).status).toBe("completed");
    return server.requests.at(-1)?.path;
  };
  expect(await asked("auto")).toBe("/v1/chat/completions");
  expect(await asked(["openai-chat", "anthropic"])).toBe("/v1/chat/completions");
  expect(await asked(["Anthropic", "openai-chat"])).toBe("/v1/messages");
  expect(await asked("openai-responses")).toBe("/v1/responses");
  expect(await refused(ask({ modelApiProtocol: "smoke-signals" }))).toMatch(/smoke-signals.*openai-chat/);
  expect(await refused(ask({ modelApiProtocol: [] }))).toContain("api_protocol");
});

it("modelApiProtocol: none that the harness speaks is an error", async () => {
  const { ask } = await createAsked();
  const agent = { benchmark: "starter", harness: "mini_swe_agent", harnessParams: {} };
  expect(await refused(ask({ ...agent, modelApiProtocol: ["anthropic"] }))).toMatch(
    /model.api_protocol.*it supports openai-chat, openai-responses/,
  );
});

it("modelParams: a parameter that the endpoint refuses is named, and the call not repeated", async () => {
  const { server, ask } = await createAsked(() => ({ status: 400, error: "Unsupported parameter: 'max_tokens'." }));
  const run = await ask({ modelParams: { max_tokens: 7 }, harnessParams: { max_retries: 3 } });
  expect((await run.attempt()).issues).toMatchObject([
    {
      severity: "error",
      code: "model_parameter_unsupported",
      message: expect.stringContaining('refuses "max_tokens"; change or remove it in model.params'),
    },
  ]);
  expect(server.requests).toHaveLength(1);
});
