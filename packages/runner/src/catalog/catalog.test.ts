import type { Benchmark, ComponentDescriptor } from "@agentcompass/core/plugin";
import { expect, it } from "vitest";
import { z } from "zod";
import { builtinCatalog, extendCatalog } from "./index.ts";

const COMMON = ["sample_ids", "limit", "sample_seed", "aggregation_mode", "category_hierarchy"];
const { benchmark, harness, environment } = builtinCatalog();

const ready = (components: ReadonlyMap<string, { load: unknown }>) =>
  [...components].filter(([, descriptor]) => descriptor.load !== null).map(([id]) => id);

it("knows the benchmarks of this release, and by schema those of later ones", () => {
  expect(ready(benchmark)).toEqual(["starter", "harbor", "gsm8k", "humaneval", "jsonl"]);
  expect([...benchmark.keys()].filter((id) => !ready(benchmark).includes(id))).toEqual([
    "terminal_bench_2",
    "terminal_bench_2_1",
    "terminal_bench_2_verified",
    "swebench_verified",
  ]);
});

it("knows harnesses and environments, ready and later", () => {
  expect(ready(harness)).toEqual(expect.arrayContaining(["openai_chat", "oracle", "nop"]));
  expect([...harness.keys()]).toEqual(expect.arrayContaining(["terminus2", "mini_swe_agent"]));
  expect(ready(environment)).toContain("host_process");
  expect([...environment.keys()]).toContain("docker");
});

it.each([...benchmark.values()])("$id describes itself and every parameter, the common ones too", (descriptor) => {
  expect(descriptor.description).not.toBe("");
  expect(Object.keys(descriptor.params.shape)).toEqual(expect.arrayContaining(COMMON));
  for (const [name, field] of Object.entries(descriptor.params.shape))
    expect((field as z.ZodType).description ?? "", name).not.toBe("");
});

it.each([...benchmark.values()])("$id refuses a parameter it does not know", (descriptor) => {
  const parsed = descriptor.params.safeParse({ path: "tasks", smaple_ids: "x" });
  expect(JSON.stringify(parsed.error?.issues)).toContain("smaple_ids");
});

it.each(["starter", "harbor", "gsm8k", "humaneval", "jsonl"])("%s loads as the benchmark of that id", async (id) => {
  expect((await benchmark.get(id)?.load?.())?.id).toBe(id);
});

it.each([
  [{ limit: 0 }, "limit"],
  [{ limit: 1.5 }, "limit"],
  [{ sample_ids: [true] }, "sample_ids"],
  [{ sample_seed: "x" }, "sample_seed"],
  [{ aggregation_mode: "median" }, "aggregation_mode"],
])("refuses the common parameters %j", (params, field) => {
  expect(benchmark.get("starter")?.params.safeParse(params).error?.issues[0]?.path).toEqual([field]);
});

it("accepts ids as text, number or list, and null as left out", () => {
  for (const sampleIds of ["a", 7, ["a", 7], null, undefined])
    expect(benchmark.get("starter")?.params.safeParse({ sample_ids: sampleIds }).success).toBe(true);
});

it("has the documented defaults of swebench_verified", () => {
  const params = benchmark.get("swebench_verified")?.params;
  expect(params?.parse({})).toMatchObject({
    prepare_mode: "git_clone",
    workspace_root: "/testbed",
    repo_url_template: "https://github.com/{repo}.git",
  });
  expect(params?.safeParse({ workspace_root: "relative" }).success).toBe(false);
  expect(params?.safeParse({ workspace_root: "/a/../b" }).success).toBe(false);
});

it("is extended by components of one's own, but not under a taken id", () => {
  const mine = (id: string): ComponentDescriptor<Benchmark> => ({
    kind: "benchmark",
    id,
    description: "mine",
    params: z.strictObject({}),
    load: null,
  });
  const extended = extendCatalog(builtinCatalog(), { benchmarks: [mine("special")] });
  expect(extended.benchmark.has("special")).toBe(true);
  expect(extended.harness.size).toBe(harness.size);
  expect(() => extendCatalog(extended, { benchmarks: [mine("special")] })).toThrow("benchmark special");
});
