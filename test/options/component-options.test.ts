import { startModelServer } from "@agentcompass/runner/testing";
import { components, configShow, doctor, dryRun, launch, resolveLaunch } from "@agentcompass/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPlace, HOST, type Json, namesIn, type Place, refused } from "./place.ts";

const BENCHMARK = `
import { defineBenchmark, textTask, z } from "agentcompass";
export default defineBenchmark({
  id: "ours",
  description: "One task of ours.",
  params: z.strictObject({ word: z.string().default("a").describe("The task.") }),
  doLoad: ({ params }) => ({ tasks: ["x", params.word].map((task_id) => ({ task_id })) }),
  doPrepare: ({ task }) => textTask(task, task.task_id),
  doEvaluate: () => ({ metrics: { correct: true } }),
});
`;

/** A recipe that gives every run a time of its own. */
const recipe = (id: string, seconds: number): string => `
import { defineRecipe } from "agentcompass";
export default defineRecipe({
  id: "${id}",
  description: "${seconds} seconds.",
  matches: () => true,
  apply: (plan) => ({ ...plan, run_timeout_seconds: ${seconds} }),
});
`;

const REQUEST = {
  name: "one",
  benchmark: { id: "ours" },
  harness: { id: "nop" },
  environment: HOST,
  model: { id: "none" },
};

async function timeoutOf(run: Awaited<ReturnType<Place["run"]>>): Promise<unknown> {
  return (await run.json("run_info.json")).resolved_execution_plans.t1.attempts["1"].run_timeout_seconds;
}

describe("components", () => {
  it("components: files of an option, relative to the working directory", async () => {
    const place = await createPlace();
    await place.write("own/ours.ts", BENCHMARK);
    const run = await place.run({
      benchmark: "ours",
      harness: "nop",
      components: ["own/ours.ts"],
      benchmarkParams: { word: "b" },
    });
    expect(run.status).toBe("completed");
    const { provenance } = await run.json("run_info.json");
    expect(provenance.components).toEqual([
      {
        path: expect.stringMatching(/own\/ours\.ts$/),
        checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        components: [{ kind: "benchmark", id: "ours" }],
      },
    ]);
    expect(provenance.data).toMatchObject({ tasks_available: 2 });
    const one = await place.run({
      benchmark: "ours",
      harness: "nop",
      components: "own/ours.ts",
      benchmarkParams: { limit: 1 },
    });
    expect(one.result.metadata.total_tasks).toBe(1);
  });

  it("components: what doLoad throws names the benchmark and its file", async () => {
    const place = await createPlace();
    await place.write("own/ours.ts", BENCHMARK.replace(/doLoad: .*/, 'doLoad: () => { throw new Error("no rows"); },'));
    const message = await refused(place.run({ benchmark: "ours", harness: "nop", components: "own/ours.ts" }));
    expect(message).toMatch(/^benchmark\.data_invalid: benchmark 'ours' \(.*ours\.ts\): doLoad failed: no rows$/);
  });

  it("components: of an orchestration file are relative to it, of a configuration to that", async () => {
    const place = await createPlace();
    await place.write("suites/ours.mts", BENCHMARK);
    const file = await place.write("suites/suite.yaml", { components: ["ours.mts"], requests: [REQUEST] });
    expect((await launch({ file })).status).toBe("completed");
    const inline = { components: ["suites/ours.mts"], requests: [REQUEST] };
    expect((await launch(inline)).status).toBe("completed");
    const without = await refused(launch({ requests: [REQUEST] }));
    expect(without).toMatch(/^component\.unknown: requests\[0\]\.benchmark\.id: unknown benchmark 'ours'/);
    await place.write("config.yaml", { components: ["suites/ours.mts"] });
    expect((await launch({ requests: [REQUEST] })).status).toBe("completed");
    expect([...(await components({})).benchmark.keys()]).toContain("ours");
    expect([...(await components()).benchmark.keys()]).not.toContain("ours");
    expect(JSON.stringify(await configShow())).toContain("suites/ours.mts");
    expect((await doctor()).checks.find(({ name }) => name === "own components")?.detail).toMatch(/^benchmark ours \(/);
  });

  it("components: stay with a resolved orchestration, and a dry run shows them", async () => {
    const place = await createPlace();
    await place.write("ours.ts", BENCHMARK);
    const spec = { components: ["ours.ts"], requests: [REQUEST] };
    const { orchestration } = await resolveLaunch(spec, {});
    expect((await launch(orchestration)).status).toBe("completed");
    const payload = (await dryRun(spec)).payload as Json;
    expect(payload.components[0]).toMatchObject({
      components: [{ kind: "benchmark", id: "ours", description: "One task of ours." }],
    });
    expect(payload.components[0].path).toMatch(/ours\.ts$/);
  });

  it.each([
    ["a text", "ours.ts", "spec.invalid: components: must be a list of files, found a text"],
    ["an entry that is no text", [3], "spec.invalid: components[0]: must be the path of a file, found 3"],
    [
      "a variable that is not set",
      ["${NOT_SET_ANYWHERE}"],
      'spec.invalid: components[0]: must be the path of a file, found "${NOT_SET_ANYWHERE}"',
    ],
  ])("components: %s is refused before anything is written", async (_what, named, line) => {
    const place = await createPlace();
    expect(await refused(launch({ components: named, requests: [REQUEST] }))).toBe(line);
    await place.write("config.yaml", { components: named });
    expect(await refused(launch({ requests: [REQUEST] }))).toMatch(/^config\.invalid: .*config\.yaml: components/);
    expect(await namesIn(`${place.path}/results`)).toEqual([]);
  });
});

const ASKING = `
import { defineHarness, z } from "agentcompass";
export default defineHarness({
  id: "asking",
  description: "Asks the model twice.",
  params: z.strictObject({ hint: z.string().describe("Said first.") }),
  delivers: ["text"],
  needsModel: true,
  runsCommands: false,
  async doRun({ model, prepared, params, signal }) {
    const messages = [{ role: "system", content: params.hint }, { role: "user", content: prepared.input.prompt }];
    await model.complete({ messages, signal });
    const { content } = await model.complete({ messages, signal });
    return { final_answer: content };
  },
});
`;

it.each(["openai-chat", "openai-responses", "anthropic"])(
  "components: a harness of one's own asks a model over %s, measured like any other",
  async (protocol) => {
    const place = await createPlace();
    await place.write("asking.ts", ASKING);
    const server = await startModelServer([{ content: "no" }, { content: "42" }]);
    onTestFinished(() => server.close());
    const run = await place.run({
      harness: "asking",
      harnessParams: { hint: "Be brief." },
      components: "asking.ts",
      model: "m",
      modelBaseUrl: server.url,
      modelApiKey: "key",
      modelApiProtocol: protocol,
    });
    expect([run.status, run.score, server.requests.length]).toEqual(["completed", 1, 2]);
    expect(JSON.stringify(server.requests[0])).toContain("Be brief.");
    expect((await run.json("run_info.json")).provenance.model.calls).toBe(2);
    expect(await refused(place.run({ harness: "asking", components: "asking.ts", model: "m" }))).toMatch(
      /harness\.hint: /,
    );
  },
);

describe("recipes", () => {
  it("recipe_dirs, recipeDirs: recipes of folders by option, file and configuration; those of the option replace the others", async () => {
    const place = await createPlace();
    await place.write("slow/slow.mjs", recipe("slow", 700));
    await place.write("quick/quick.ts", recipe("quick", 7));
    expect(await timeoutOf(await place.run({ recipeDirs: ["slow"] }))).toBe(700);
    const request = { name: "one", ...HOST_WORK };
    const spec = { runtime: { recipe_dirs: ["slow"] }, requests: [request] };
    const { requests } = await place.launch(spec);
    expect(requests["one"]?.result).toMatchObject({ applied_recipes: ["slow"] });
    const plain = { ...request, benchmark: { id: "starter" }, harness: { id: "nop" } };
    const { payload } = await dryRun({ ...spec, requests: [plain] });
    expect(payload).toMatchObject({ runtime: { recipe_dirs: ["slow"] } });
    expect(JSON.stringify(payload)).toContain('"kind":"recipe","id":"slow"');
    await place.write("config.yaml", { runtime: { recipe_dirs: ["slow"] } });
    expect((await place.run()).result.applied_recipes).toEqual(["slow"]);
    expect((await place.run({ recipeDirs: ["quick"] })).result.applied_recipes).toEqual(["quick"]);
  });

  it("enabledRecipes, enabled_recipes: those that are tried; empty is all, in the order in which they were loaded", async () => {
    const place = await createPlace();
    const files = [await place.write("b.mjs", recipe("b", 20)), await place.write("a.mjs", recipe("a", 10))];
    const all = await place.run({ components: files });
    expect([all.result.applied_recipes, await timeoutOf(all)]).toEqual([["b", "a"], 10]);
    const one = await place.run({ components: files, enabledRecipes: ["b"] });
    expect([one.result.applied_recipes, await timeoutOf(one)]).toEqual([["b"], 20]);
    const spec = {
      components: files,
      requests: [{ name: "one", ...HOST_WORK, execution: { enabled_recipes: ["a"] } }],
    };
    expect((await place.launch(spec)).requests["one"]?.result).toMatchObject({ applied_recipes: ["a"] });
  });

  it("enabledRecipes, recipe_dirs: an unknown id, and a folder that is not there or holds Python alone, are refused", async () => {
    const place = await createPlace();
    expect(await refused(place.run({ enabledRecipes: ["swe"] }))).toBe(
      "component.unknown: execution.enabled_recipes: unknown recipe 'swe' (none is loaded: name the recipe's file in components, or its folder in runtime.recipe_dirs)",
    );
    expect(await refused(place.run({ recipeDirs: ["gone"] }))).toMatch(
      /^file\.unreadable: runtime\.recipe_dirs\[0\]: .*no such folder$/,
    );
    await place.write("python/__init__.py", "RECIPE_CLASSES = []");
    expect(await refused(place.run({ recipeDirs: ["python"] }))).toMatch(
      /^component\.invalid: runtime\.recipe_dirs\[0\]: .* holds recipes in Python/,
    );
    expect(await namesIn(`${place.path}/results`)).toEqual([]);
  });
});

const HOST_WORK = { benchmark: { id: "work" }, harness: { id: "worker" }, environment: HOST, model: { id: "none" } };
