import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeReport } from "./compute-report.ts";
import { RESULT_STATUSES } from "./issue.ts";
import type { MetricContract } from "./metric-contract.ts";
import type { Report } from "./report.ts";
import type { ReportInput } from "./report-input.ts";
import { computeStatistics } from "./statistics.ts";
import type { ReportAttempt, ReportTask } from "./task-reduction.ts";

const CONTRACT: MetricContract = [
  { id: "correct", kind: "binary_success", primary: true },
  { id: "cost_usd", kind: "scalar", primary: false },
];

const attempt = fc.record({
  status: fc.constantFrom(...RESULT_STATUSES),
  metrics: fc.record(
    { correct: fc.boolean(), cost_usd: fc.double({ min: -10, max: 10, noNaN: true }) },
    { requiredKeys: [] },
  ),
  issues: fc.array(fc.record({ severity: fc.constantFrom("fatal", "error", "warning", "warning") }), { maxLength: 1 }),
});

const input: fc.Arbitrary<ReportInput> = fc
  .record({ k: fc.integer({ min: 1, max: 3 }), strategy: fc.constantFrom("avg", "pass") })
  .chain((plan) => {
    const numbers = Array.from({ length: plan.k }, (_, index) => String(index + 1));
    const attempts: fc.Arbitrary<Record<string, ReportAttempt>> = fc
      .record(Object.fromEntries(numbers.map((number) => [number, attempt])), { requiredKeys: [] })
      .map((some) => Object.fromEntries(Object.entries(some).flatMap(([key, value]) => (value ? [[key, value]] : []))));
    const category = fc.constantFrom("a", "b", " a", "", null, "10", "9");
    const task: fc.Arbitrary<Omit<ReportTask, "task_id">> = fc.record({ category, attempts });
    return fc.record({
      contract: fc.constant(CONTRACT),
      plan: fc.constant(plan),
      aggregation: fc.constantFrom(
        { mode: "micro_weighted" },
        { mode: "category_mean" },
        { hierarchy: { overall: { aggregation: "weighted_by_count", children: { a: {}, b: {} } } } },
      ),
      tasks: fc
        .array(task, { maxLength: 12 })
        .map((tasks): ReportTask[] => tasks.map((item, index) => ({ ...item, task_id: `t${index}` }))),
    });
  });

describe("computeReport", () => {
  it("does not depend on the order of tasks", () => {
    fc.assert(
      fc.property(input, (given) => {
        const reversed = { ...given, tasks: given.tasks.toReversed() };
        expect(computeReport(reversed)).toEqual(computeReport(given));
      }),
    );
  });

  it("counts every task once", () => {
    fc.assert(
      fc.property(input, (given) => {
        for (const series of computeReport(given).series) {
          const parts = Object.values(series.categories).map((category) => category.counts);
          for (const counts of [series.counts, ...parts]) {
            expect(counts.evaluated + counts.unavailable + counts.invalidated).toBe(counts.total);
            expect(counts.error).toBeGreaterThanOrEqual(counts.invalidated);
          }
          expect(series.counts.total).toBe(given.tasks.length);
          expect(parts.reduce((sum, counts) => sum + counts.total, 0)).toBe(given.tasks.length);
        }
      }),
    );
  });

  it("moves every value to reference_value when no official score may be given", () => {
    const done = { status: "completed" as const, issues: [] };
    const tasks = [{ task_id: "t", category: "a", attempts: { 1: { ...done, metrics: { correct: false } } } }];
    const base = { contract: CONTRACT, plan: { k: 1, strategy: "avg" as const }, aggregation: {}, tasks };
    const report = computeReport({ ...base, officialScore: false });
    expect(report.evaluation_failed).toBe(true);
    expect(valuesOf(report)).toEqual([null, null, null, null]);
    expect(report.series[0]?.reference_value).toBe(0);
    expect(computeReport(base).series[0]?.value).toBe(0);
  });

  it("keeps a weighted rate of successes alone at 1, whatever the rounding of weights", () => {
    const attempts = { 1: { status: "completed" as const, issues: [], metrics: { correct: true } } };
    const tasks = ["a", "b", "c"].map((name) => ({ task_id: name, category: name, attempts }));
    const weight = fc.double({ min: 0.001, max: 5, noNaN: true });
    fc.assert(
      fc.property(weight, weight, weight, (a, b, c) => {
        const children = { a: { weight: a }, b: { weight: b }, c: { weight: c } };
        const aggregation = { hierarchy: { overall: { aggregation: "weighted", children } } };
        const report = computeReport({ contract: CONTRACT, plan: { k: 1, strategy: "avg" }, aggregation, tasks });
        expect(report.series[0]?.value).toBe(1);
      }),
    );
  });

  it("takes a category by whatever name, also that of a built-in property", () => {
    const metrics = { correct: true };
    const attempts = { 1: { status: "completed" as const, issues: [], metrics } };
    const tasks = ["__proto__", "constructor"].map((name) => ({ task_id: name, category: name, attempts }));
    const report = computeReport({ contract: CONTRACT, plan: { k: 1, strategy: "avg" }, aggregation: {}, tasks });
    expect(Object.keys(report.series[0]?.categories ?? {})).toEqual(["__proto__", "constructor"]);
  });
});

describe("computeStatistics", () => {
  it("has the report's numbers as means and an interval around each", () => {
    fc.assert(
      fc.property(input, (given) => {
        const report = computeReport(given);
        const statistics = computeStatistics({ ...given, measurements: [] });
        for (const series of report.series) {
          const certainty = statistics.series[series.series_id];
          expect(certainty?.mean).toBe(series.value ?? series.reference_value);
          expect(certainty?.reference).toBe(report.evaluation_failed);
          const all = [certainty, ...Object.values(certainty?.categories ?? {})];
          for (const { mean, interval } of all.flatMap((item) => (item ? [item] : []))) {
            if (mean === null || !interval) continue;
            expect(interval.low).toBeLessThanOrEqual(mean);
            expect(interval.high).toBeGreaterThanOrEqual(mean);
          }
        }
      }),
    );
  });
});

function valuesOf(report: Report): (number | null)[] {
  return report.series.flatMap((series) => [
    series.value,
    ...Object.values(series.categories).map((category) => category.value),
  ]);
}
