import { describe, expect, it } from "vitest";
import type { Measurement } from "./measurement.ts";
import type { MetricContract } from "./metric-contract.ts";
import type { ReportInput } from "./report-input.ts";
import { computeStatistics } from "./statistics.ts";
import type { ReportTask } from "./task-reduction.ts";

const BINARY: MetricContract = [{ id: "correct", kind: "binary_success", primary: true }];
const SCALAR: MetricContract = [{ id: "score", kind: "scalar", primary: true }];
const ONE = { k: 1, strategy: "avg" } as const;

function task(index: number, category: string, values: readonly (boolean | number)[]): ReportTask {
  const attempts = values.map((value, attempt) => {
    const metrics = typeof value === "number" ? { score: value } : { correct: value };
    return [String(attempt + 1), { status: "completed" as const, metrics, issues: [] }];
  });
  return { task_id: `t${index}`, category, attempts: Object.fromEntries(attempts) };
}

function statistics(input: Omit<ReportInput, "aggregation"> & Partial<ReportInput>) {
  return computeStatistics({ aggregation: {}, ...input, measurements: [] });
}

describe("intervals of series", () => {
  it("are Wilson's for single true-or-false attempts", () => {
    const tasks = [true, true, true, false].map((value, index) => task(index, "a", [value]));
    const series = statistics({ contract: BINARY, plan: ONE, tasks }).series["correct.native@1"];
    expect(series).toMatchObject({ n: 4, mean: 0.75, method: "wilson", reference: false });
    expect(series?.standard_error).toBeCloseTo(0.25, 14);
    expect(series?.interval?.low).toBeCloseTo(0.300641842582402, 12);
    expect(series?.interval?.high).toBeCloseTo(0.954412739190299, 12);
  });

  it("are Student's over tasks for averages of attempts, and Wilson's for pass", () => {
    const tasks = [task(0, "a", [true, false]), task(1, "a", [true, true]), task(2, "a", [false, false])];
    const { series } = statistics({ contract: BINARY, plan: { k: 2, strategy: "avg" }, tasks });
    expect(series["correct.avg@2"]).toMatchObject({ n: 3, mean: 0.5, method: "student_t" });
    expect(series["correct.avg@2"]?.interval?.low).toBeCloseTo(0.5 - (4.302652729749464 * 0.5) / Math.sqrt(3), 10);
    expect(series["correct.pass@2"]).toMatchObject({ n: 3, mean: 2 / 3, method: "wilson" });
  });

  it("claim no certainty when every task has the same average", () => {
    const tasks = [0, 1, 2].map((index) => task(index, "a", [true, true, false]));
    const series = statistics({ contract: BINARY, plan: { k: 3, strategy: "avg" }, tasks }).series["correct.avg@3"];
    expect(series?.method).toBe("wilson");
    expect(series?.interval?.low).toBeLessThan(0.3);
  });

  it("are absent for one scalar task, and for none", () => {
    const one = statistics({ contract: SCALAR, plan: ONE, tasks: [task(0, "a", [3])] }).series["score.native@1"];
    expect(one).toMatchObject({ n: 1, mean: 3, standard_error: null, interval: null, method: null });
    const none = statistics({ contract: SCALAR, plan: ONE, tasks: [] }).series["score.native@1"];
    expect(none).toMatchObject({ n: 0, mean: null, interval: null });
  });

  it("combine independent categories for category_mean and every node of a hierarchy", () => {
    const tasks = [1, 3, 10, 12, 14].map((value, index) => task(index, index < 2 ? "a" : "b", [value]));
    const children = { a: { weight: 3 }, b: { weight: 1 } };
    const mean = statistics({ contract: SCALAR, plan: ONE, tasks, aggregation: { mode: "category_mean" } });
    const tree = { overall: { aggregation: "weighted", children } };
    const weighted = statistics({ contract: SCALAR, plan: ONE, tasks, aggregation: { hierarchy: tree } });
    // Errors of the categories: a sqrt(2)/sqrt(2) = 1, b 2/sqrt(3).
    expect(mean.series["score.native@1"]).toMatchObject({ n: 5, mean: 7, method: "combined" });
    expect(mean.series["score.native@1"]?.standard_error).toBeCloseTo(Math.sqrt(1 + 4 / 3) / 2, 14);
    expect(weighted.series["score.native@1"]?.standard_error).toBeCloseTo(Math.sqrt(0.5625 + 4 / 3 / 16), 14);
    expect(weighted.series["score.native@1"]?.hierarchy["overall/a"]).toMatchObject({ n: 2, mean: 2 });
    expect(Object.keys(weighted.series["score.native@1"]?.hierarchy ?? {})).toEqual([
      "overall/a",
      "overall/b",
      "overall",
    ]);
  });

  it("are marked as reference when there is no official score", () => {
    const series = statistics({
      contract: BINARY,
      plan: ONE,
      tasks: [task(0, "a", [true])],
      officialScore: false,
    }).series;
    expect(series["correct.native@1"]?.reference).toBe(true);
  });
});

describe("totals of measurements", () => {
  const measurement = (latency: readonly number[], reasoning: number | null): Measurement => ({
    task_id: "t",
    attempt: 1,
    waiting_ms: 500,
    working_ms: 1500,
    calls: latency.length + 1,
    latency_ms: latency,
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      cache_tokens: 2,
      cache_write_tokens: 1,
      reasoning_tokens: reasoning,
      cost_usd: 0.1,
      cost_calls: { endpoint: 1, prices: 2, unknown: 0 },
    },
  });

  it("add tokens, cost, time and calls, and give percentiles of latency", () => {
    const measurements = [measurement([40, 10], 3), measurement([30, 20], null), measurement([], null)];
    const totals = computeStatistics({ contract: BINARY, plan: ONE, aggregation: {}, tasks: [], measurements });
    expect(totals.tokens).toEqual({ prompt: 30, completion: 15, cache: 6, cache_write: 3, reasoning: 3, total: 45 });
    expect(totals.cost_usd).toBe(0.30000000000000004);
    expect(totals.cost_calls).toEqual({ endpoint: 3, prices: 6, unknown: 0 });
    expect(totals.time).toEqual({ waiting_seconds: 1.5, working_seconds: 4.5 });
    expect(totals.calls).toBe(7);
    expect(totals.latency_ms).toMatchObject({ count: 4, mean: 25, p50: 25, p90: 37, max: 40 });
    expect(totals.latency_ms.p95).toBeCloseTo(38.5, 12);
    expect(totals.latency_ms.p99).toBeCloseTo(39.7, 12);
  });

  it("leave the cost open where calls were answered and no cost is known, and sum what is known", () => {
    const known = measurement([10], null);
    const open = {
      ...known,
      usage: { ...known.usage, cost_usd: null, cost_calls: { endpoint: 0, prices: 0, unknown: 1 } },
    };
    const totalsOf = (measurements: readonly Measurement[]) =>
      computeStatistics({ contract: BINARY, plan: ONE, aggregation: {}, tasks: [], measurements });
    expect(totalsOf([open, open])).toMatchObject({ cost_usd: null, cost_calls: { unknown: 2 } });
    expect(totalsOf([open, known])).toMatchObject({ cost_usd: 0.1, cost_calls: { endpoint: 1, unknown: 1 } });
  });

  it("say nothing where nothing was measured", () => {
    const totals = computeStatistics({ contract: BINARY, plan: ONE, aggregation: {}, tasks: [], measurements: [] });
    expect(totals.tokens).toEqual({ prompt: 0, completion: 0, cache: 0, cache_write: 0, reasoning: null, total: 0 });
    expect(totals.cost_usd).toBe(0);
    expect(totals.latency_ms).toEqual({ count: 0, mean: null, p50: null, p90: null, p95: null, p99: null, max: null });
  });
});
