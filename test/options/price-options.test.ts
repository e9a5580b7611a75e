import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelHandler, type ModelServer, startModelServer } from "@agentcompass/runner/testing";
import { configShow, dryRun, runOutcome } from "@agentcompass/sdk";
import { expect, it, onTestFinished } from "vitest";
import { createPlace, endedOf, HOST, type Json, type Place, refused } from "./place.ts";

const USAGE = {
  prompt_tokens: 1_000_000,
  completion_tokens: 100_000,
  prompt_tokens_details: { cached_tokens: 400_000 },
};
const PRICES = { "vendor/m": { input: 2, output: 10, cached_input: 0.5 } };
/** 0.6 million at 2, 0.4 million at 0.5, 0.1 million at 10. */
const COST = 2.4;

async function withServer(handler: ModelHandler): Promise<{ place: Place; server: ModelServer }> {
  const place = await createPlace();
  const server = await startModelServer(handler);
  onTestFinished(() => server.close());
  return { place, server };
}

function asked(server: ModelServer, model = "vendor/m") {
  return { harness: "openai_chat", harnessParams: { max_retries: 1 }, model, modelBaseUrl: server.url };
}

async function measurements(directory: string): Promise<Json[]> {
  const details = join(directory, "details");
  const files = (await readdir(details, { recursive: true })).filter((file) => file.endsWith("measurement.json"));
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(join(details, file), "utf8"))));
}

it("prices: say what attempts, a request and the orchestration cost", async () => {
  const { place, server } = await withServer(() => ({ usage: USAGE }));
  await place.write("config.yaml", { prices: PRICES });
  const events: Json[] = [];
  const onProgress = (event: Json) => event.event === "attempt_finished" && events.push(event.payload);
  const run = await place.run({ ...asked(server), benchmarkParams: { tasks: 2 }, onProgress });
  const cost_calls = { endpoint: 0, prices: 1, unknown: 0 };
  for (const { usage } of await measurements(run.directory))
    expect(usage).toMatchObject({ cost_usd: COST, cost_calls });
  expect(events).toMatchObject([{ cost_usd: COST }, { cost_usd: COST }]);
  const { statistics } = await run.json("metrics.json");
  expect(statistics).toMatchObject({ cost_usd: 2 * COST, cost_calls: { prices: 2 } });
  expect(await run.text("summary.md")).toMatch(
    /\| 4\.8000 +\|\n\nCost of answered calls: 2 by the configured prices\./,
  );
  expect((await run.attempt()).artifacts.raw_result.usage.cost_usd).toBe(COST);
  expect((await run.json("run_info.json")).provenance.model.price).toEqual(PRICES["vendor/m"]);
});

it("prices: an endpoint's own cost wins, and without a price the cost is open", async () => {
  const { place, server } = await withServer((request) => ({
    usage: request.body.model === "vendor/m" ? { ...USAGE, cost: 0.125 } : USAGE,
  }));
  await place.write("config.yaml", { prices: PRICES });
  const own = await place.run(asked(server));
  expect((await own.json("metrics.json")).statistics).toMatchObject({ cost_usd: 0.125, cost_calls: { endpoint: 1 } });
  const open = await place.run(asked(server, "vendor/other"));
  expect((await open.json("metrics.json")).statistics).toMatchObject({ cost_usd: null, cost_calls: { unknown: 1 } });
  expect((await measurements(open.directory))[0].usage.cost_usd).toBeNull();
  expect(await open.text("summary.md")).toContain("Cost of answered calls: 1 unknown, not in the sum.");
  expect((await open.attempt()).artifacts.raw_result.usage.cost_usd).toBe(0);
});

it("prices: hold for a judge too, whose cost is told apart", async () => {
  const { place, server } = await withServer((request) =>
    request.body.model === "judge" ? { usage: USAGE, content: '{"reason": "so", "correct": true}' } : { usage: USAGE },
  );
  await place.write("config.yaml", { prices: { ...PRICES, judge: { input: 1, output: 0 } } });
  await place.write("questions.jsonl", { input: "6*7", expected: "42" });
  const judge = { model: "judge", base_url: server.url };
  const benchmarkParams = { path: "questions.jsonl", scorer: "judge", judge };
  const result = await runOutcome({ ...asked(server), benchmark: "jsonl", benchmarkParams });
  expect(result.usage).toMatchObject({
    cost_usd: COST,
    cost_calls: { prices: 1 },
    judge: { calls: 1, cost_usd: 1, cost_calls: { prices: 1 } },
  });
});

it("prices: discarded executions count, and so does an attempt that fails in the end", async () => {
  let calls = 0;
  const { place, server } = await withServer(() => {
    calls += 1;
    return { usage: USAGE, content: calls === 1 ? "" : "42" };
  });
  await place.write("config.yaml", { prices: PRICES });
  const executionParams = {
    max_retries: 1,
    retry_pattern_list: ["model_empty_output"],
    retry_min_delay_seconds: 0.001,
    retry_max_delay_seconds: 0.001,
  };
  const run = await place.run({ ...asked(server), executionParams });
  expect(server.requests).toHaveLength(2);
  expect((await run.json("metrics.json")).statistics.cost_usd).toBe(2 * COST);
});

it("prices: of the exact id, else of the longest beginning that fits; a file's own over the configuration's", async () => {
  const { place, server } = await withServer(() => ({ usage: { prompt_tokens: 1_000_000, completion_tokens: 0 } }));
  const price = (input: number) => ({ input, output: 0 });
  await place.write("config.yaml", {
    prices: { "*": price(1), "ven*": price(2), "vendor/*": price(3), exact: price(4) },
  });
  const request = (name: string, id: string) => ({ name, model: { id, base_url: server.url } });
  const result = await place.launch({
    prices: { exact: price(5), "exact*": price(6) },
    defaults: { benchmark: { id: "work" }, harness: { id: "openai_chat" }, environment: HOST },
    requests: [
      request("a", "other"),
      request("b", "venue"),
      request("c", "vendor/m"),
      request("d", "exact"),
      request("e", "exactly"),
    ],
  });
  const costs = Object.values(result.requests).map((outcome) => outcome.usage?.cost_usd);
  expect(costs).toEqual([1, 2, 3, 5, 6]);
  expect(result.usage).toMatchObject({
    calls: 5,
    tokens: { prompt: 5_000_000 },
    cost_usd: 17,
    cost_calls: { prices: 5 },
  });
  expect(endedOf(result, "d").result.metrics.statistics.cost_usd).toBe(5);
});

it("prices: are shown by config show and by a dry run, and are not there when none is given", async () => {
  const place = await createPlace();
  const spec = {
    defaults: { benchmark: { id: "starter" }, harness: { id: "nop" }, environment: HOST },
    requests: [{ name: "a", model: { id: "none" } }],
  };
  expect([await configShow(), (await dryRun(spec)).payload].filter((shown) => "prices" in shown)).toEqual([]);
  await place.write("config.yaml", { prices: PRICES });
  expect(await configShow()).toMatchObject({ prices: PRICES });
  expect((await dryRun({ ...spec, prices: { b: { input: 1, output: 1 } } })).payload).toMatchObject({
    prices: { ...PRICES, b: { input: 1, output: 1 } },
  });
});

it("prices: a later configuration file wins field by field, and null takes a price away", async () => {
  const { place, server } = await withServer(() => ({ usage: USAGE }));
  await place.write("config.yaml", { prices: PRICES });
  const cheaper = await place.write("cheaper.yaml", { prices: { "vendor/m": { output: 0, cached_input: 0 } } });
  const none = await place.write("none.yaml", { prices: { "vendor/m": null } });
  const costOf = async (configPath: string) =>
    (await (await place.run({ ...asked(server), configPath: [configPath] })).json("metrics.json")).statistics.cost_usd;
  expect(await costOf(cheaper)).toBe(1.2);
  expect(await costOf(none)).toBeNull();
});

it.each([
  [
    { m: { input: -1, output: 0 } },
    /config\.invalid: .*config\.yaml: prices\.m\.input: must be a price in USD.*found -1/,
  ],
  [{ m: { input: "1", output: 0 } }, /prices\.m\.input: must be a price/],
  [{ m: { input: 1, outptu: 0 } }, /config\.yaml: prices\.m: unknown field 'outptu'; did you mean 'output'/],
  [{ m: { input: 1 } }, /prices\.m\.output: /],
  [{ "a*b": { input: 1, output: 1 } }, /prices.*must be a model id, or the beginning of ids with \* at the end/],
  [{ m: 3 }, /prices\.m: /],
  [[], /config\.yaml: prices: must be a mapping, found a list/],
])("prices: %j is refused", async (prices, text) => {
  const place = await createPlace();
  await place.write("config.yaml", { prices });
  expect(await refused(place.run())).toMatch(text);
});

it("prices: of an orchestration file are refused with their path", async () => {
  const place = await createPlace();
  const spec = { prices: { m: { input: -1, output: 0 } }, requests: [{ name: "a" }] };
  expect(await refused(place.launch(spec))).toMatch(/spec\.invalid: prices\.m\.input: must be a price/);
});
