import { readdir } from "node:fs/promises";
import type { RunEvaluationOptions } from "@agentcompass/sdk";
import { expect, it } from "vitest";
import { createPlace, type Ended, namesIn, type Place, refused } from "./place.ts";

const LINES = ["a", "b", "c", "d", "e", "f"].map((id, index) => ({
  id,
  input: id,
  expected: "x",
  category: index < 4 ? "much" : "little",
}));

async function createLines(): Promise<Place> {
  const place = await createPlace();
  await place.write("lines.jsonl", LINES.map((line) => JSON.stringify(line)).join("\n"));
  return place;
}

/** Ids of the tasks that a run of `lines.jsonl` took, in the order of the data. */
async function taken(place: Place, params: object, options: Partial<RunEvaluationOptions> = {}): Promise<string[]> {
  const run = await lines(place, params, options);
  const ids = (await readdir(`${run.directory}/details/normal`)).map((name) => name.split("--")[0] ?? "");
  return ids.sort();
}

function lines(place: Place, params: object, options: Partial<RunEvaluationOptions> = {}): Promise<Ended> {
  return place.run({ benchmark: "jsonl", benchmarkParams: { path: "lines.jsonl", ...params }, ...options });
}

it("benchmark: its tasks run; an unknown id lists the known ones and the nearest", async () => {
  const place = await createPlace();
  const starter = { benchmark: "starter", harness: "oracle", benchmarkParams: { limit: 1 } };
  expect((await place.run(starter)).score).toBe(1);
  expect(await refused(place.run({ benchmark: "startr" }))).toMatch(
    /component.unknown: .*'startr'; did you mean 'starter'.*gsm8k, harbor, humaneval, jsonl/,
  );
});

it("harness: the agent that does the tasks", async () => {
  const place = await createPlace();
  const starter = { benchmark: "starter", benchmarkParams: { limit: 1 } };
  expect((await place.run({ ...starter, harness: "oracle" })).score).toBe(1);
  expect((await place.run({ ...starter, harness: "nop" })).score).toBe(0);
  expect(await refused(place.run({ harness: "oracl" }))).toContain("did you mean 'oracle'");
});

it("environment: where commands run, host_process unless said otherwise", async () => {
  const place = await createPlace();
  expect((await (await place.run()).json("run_info.json")).request.environment.id).toBe("host_process");
  const run = await place.run({ environment: "elsewhere" });
  expect((await run.json("run_info.json")).resolved_execution_plans.t1.attempts["1"].environment.id).toBe("elsewhere");
  expect(await refused(place.run({ environment: "elsewere" }))).toContain("did you mean 'elsewhere'");
});

it("benchmarkParams: over the configured ones; an unknown one is refused before anything is written", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { benchmarks: { work: { tasks: 3 } } });
  const total = async (options: Partial<RunEvaluationOptions>): Promise<number> =>
    (await place.run(options)).result.metadata.total_tasks;
  expect(await total({ resultsDir: "one" })).toBe(3);
  expect(await total({ resultsDir: "one", benchmarkParams: { tasks: 2 } })).toBe(2);
  expect(await refused(place.run({ benchmarkParams: { taks: 2 } }))).toMatch(/'taks'; did you mean 'tasks'/);
  expect(await namesIn(`${place.path}/results`)).toEqual([]);
});

it("harnessParams: over the configured ones; an unknown one is refused before anything is written", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { harnesses: { worker: { note: "configured" } } });
  place.execution.run = async (ask) => String(ask.params["note"]);
  const answer = async (options: Partial<RunEvaluationOptions>): Promise<string> =>
    (await (await place.run({ resultsDir: "one", ...options })).attempt()).final_answer;
  expect(await answer({})).toBe("configured");
  expect(await answer({ harnessParams: { note: "given" } })).toBe("given");
  expect(await refused(place.run({ harnessParams: { nope: 1 } }))).toMatch(
    /harness 'worker': unknown parameter 'nope'/,
  );
  expect(await namesIn(`${place.path}/results`)).toEqual([]);
});

it("environmentParams: over the configured ones; an unknown one is refused before anything is written", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { environments: { elsewhere: { colour: "red" } } });
  const colour = async (environmentParams: object): Promise<unknown> => {
    await place.run({ environment: "elsewhere", environmentParams: { ...environmentParams }, resultsDir: "one" });
    return place.opened.at(-1)?.params["colour"];
  };
  expect(await colour({})).toBe("red");
  expect(await colour({ colour: "blue" })).toBe("blue");
  expect(await refused(place.run({ environment: "elsewhere", environmentParams: { color: "blue" } }))).toMatch(
    /elsewhere.*'color'; did you mean 'colour'/,
  );
  expect(await namesIn(`${place.path}/results`)).toEqual([]);
});

it("sample_ids: only these tasks; an unknown one is refused with the nearest", async () => {
  const place = await createLines();
  expect(await taken(place, { sample_ids: ["e", "b"] })).toEqual(["b", "e"]);
  expect(await taken(place, { sample_ids: "c" })).toEqual(["c"]);
  const starter = { benchmark: "starter", harness: "nop", benchmarkParams: { sample_ids: ["fix-medan"] } };
  expect(await refused(place.run(starter))).toMatch(/benchmark.sample_ids: .*did you mean "fix-median"/);
});

it("limit: at most so many tasks, the first ones", async () => {
  const place = await createLines();
  expect(await taken(place, { limit: 2 })).toEqual(["a", "b"]);
  expect(await taken(place, { limit: 100 })).toHaveLength(6);
});

it("sample_seed: a sample that depends on the seed and the ids alone", async () => {
  const place = await createLines();
  const seven = await taken(place, { limit: 3, sample_seed: 7 });
  await place.write(
    "lines.jsonl",
    [...LINES]
      .reverse()
      .map((line) => JSON.stringify(line))
      .join("\n"),
  );
  expect(await taken(place, { limit: 3, sample_seed: 7 })).toEqual(seven);
  const others = await Promise.all(
    [8, 9, 10].map((seed) => taken(place, { limit: 3, sample_seed: seed }, { runName: `${seed}` })),
  );
  expect(others.some((ids) => ids.join() !== seven.join())).toBe(true);
  expect(await refused(lines(place, { sample_seed: 7 }))).toContain("benchmark.sample_seed");
});

/** Answers `x` for the tasks of the category `much` alone: 4 of 6. */
async function createGraded(): Promise<Place> {
  const place = await createLines();
  place.execution.run = async (ask) => ("abcd".includes(ask.prepared.task_id) ? "x" : "y");
  return place;
}

it("aggregation_mode: the mean over tasks, or over the means of categories", async () => {
  const place = await createGraded();
  expect((await lines(place, {})).score).toBeCloseTo(4 / 6);
  expect((await lines(place, { aggregation_mode: "category_mean" })).score).toBe(0.5);
});

it("category_hierarchy: a tree that wins over the mode and is checked before any task runs", async () => {
  const place = await createGraded();
  const children = { much: { aggregation: "leaf", weight: 3 }, little: { aggregation: "leaf", weight: 1 } };
  const category_hierarchy = { overall: { aggregation: "weighted", children } };
  const graded = await lines(place, { category_hierarchy, aggregation_mode: "category_mean" });
  expect(graded.score).toBe(0.75);
  const broken = { overall: { aggregation: "weighted", children: { much: { aggregation: "leaf" } } } };
  expect(await refused(lines(place, { category_hierarchy: broken }, { resultsDir: "none" }))).toContain(
    "category_hierarchy",
  );
  expect(await namesIn(`${place.path}/none`)).toEqual([]);
});
