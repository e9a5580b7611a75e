import { describe, expect, it } from "vitest";
import { computeReport } from "./compute-report.ts";
import { markdownCode, markdownTable, markdownText } from "./markdown.ts";
import { fourDecimals } from "./number-text.ts";
import type { ReportInput } from "./report-input.ts";
import { resultSummary } from "./result-object.ts";
import { computeStatistics } from "./statistics.ts";
import { renderSummary } from "./summary.ts";

const completed = (correct: boolean) => ({ 1: { status: "completed" as const, metrics: { correct }, issues: [] } });
const INPUT: ReportInput = {
  contract: [{ id: "correct", kind: "binary_success", primary: true, label: "Resolved" }],
  plan: { k: 1, strategy: "avg" },
  aggregation: { hierarchy: { overall: { aggregation: "unweighted", children: { "x|y": {}, none: {} } } } },
  tasks: [
    { task_id: "1", category: "x|y", attempts: completed(true) },
    { task_id: "2", category: "x|y", attempts: completed(false) },
  ],
};
const report = computeReport(INPUT);
const usage = {
  prompt_tokens: 12,
  completion_tokens: 3,
  cache_tokens: 4,
  cache_write_tokens: 2,
  reasoning_tokens: null,
  cost_usd: 0.25,
  cost_calls: { endpoint: 1, prices: 1, unknown: 0 },
};
const measured = {
  task_id: "1",
  attempt: 1,
  waiting_ms: 1500,
  working_ms: 2500,
  calls: 2,
  latency_ms: [100, 200],
  usage,
};

describe("renderSummary", () => {
  it("has the tables of categories and hierarchy before our own sections", () => {
    const statistics = computeStatistics({ ...INPUT, measurements: [measured] });
    const notes = ["partial: 2 of 10 tasks"];
    const text = renderSummary({ benchmarkId: "my_bench", model: "a`b", report, statistics, notes });
    expect(text.split("\n")).toEqual([
      "# MY_BENCH Evaluation Results",
      "",
      "**Model:** ``a`b``",
      "",
      "**Total:** 2",
      "**Evaluated:** 2/2",
      "**Invalidated:** 0",
      "**Error:** 0",
      "",
      "## Metrics",
      "",
      "| Metric   | Value   |",
      "|----------|---------|",
      "| correct  | 0.5000  |",
      "",
      "## Details: category",
      "",
      "| category   | correct   | total   | evaluated   | error   |",
      "|------------|-----------|---------|-------------|---------|",
      "| x\\|y       | 0.5000    | 2       | 2           | 0       |",
      "",
      "## Details: hierarchy",
      "",
      "| hierarchy    | correct   | total   | evaluated   | error   |",
      "|--------------|-----------|---------|-------------|---------|",
      "| overall      | 0.5000    | 2       | 2           | 0       |",
      "| overall/none | -         | 0       | 0           | 0       |",
      "| overall/x\\|y | 0.5000    | 2       | 2           | 0       |",
      "",
      "## Notes",
      "",
      "- partial: 2 of 10 tasks",
      "",
      "## Confidence",
      "",
      "| Metric              | Tasks                  | Value   | Standard error   | 95 % interval    | n   |",
      "|---------------------|------------------------|---------|------------------|------------------|-----|",
      "| Resolved (native@1) | all                    | 0.5000  | 0.5000           | 0.0945 to 0.9055 | 2   |",
      "| Resolved (native@1) | category x\\|y          | 0.5000  | 0.5000           | 0.0945 to 0.9055 | 2   |",
      "| Resolved (native@1) | hierarchy overall      | 0.5000  | 0.5000           | 0.0945 to 0.9055 | 2   |",
      "| Resolved (native@1) | hierarchy overall/none | -       | -                | -                | 0   |",
      "| Resolved (native@1) | hierarchy overall/x\\|y | 0.5000  | 0.5000           | 0.0945 to 0.9055 | 2   |",
      "",
      "## Tokens and cost",
      "",
      "| Calls   | Prompt   | of it cached   | written to cache   | Completion   | of it reasoning   | Total tokens   | Cost (USD)   |",
      "|---------|----------|----------------|--------------------|--------------|-------------------|----------------|--------------|",
      "| 2       | 12       | 4              | 2                  | 3            | -                 | 15             | 0.2500       |",
      "",
      "Cost of answered calls: 1 by their endpoint, 1 by the configured prices.",
      "",
      "## Latency",
      "",
      "| Answers   | Mean (ms)   | p50 (ms)   | p90 (ms)   | p95 (ms)   | p99 (ms)   | Max (ms)   |",
      "|-----------|-------------|------------|------------|------------|------------|------------|",
      "| 2         | 150.0       | 150.0      | 190.0      | 195.0      | 199.0      | 200.0      |",
      "",
      "## Time",
      "",
      "Sums over attempts, which may have run side by side.",
      "",
      "| Waiting (s)   | Working (s)   |",
      "|---------------|---------------|",
      "| 1.5           | 2.5           |",
      "",
    ]);
  });

  it("marks values of a failed evaluation as reference, here and in the confidence table", () => {
    const failed = { ...INPUT, officialScore: false };
    const statistics = computeStatistics({ ...failed, measurements: [] });
    const text = renderSummary({ benchmarkId: "b", model: "m", report: computeReport(failed), statistics });
    expect(text).toContain("| correct  | 0.5000 (reference) |");
    expect(text).toMatch(
      /\*\*Evaluation failed:\*\* no official score[\s\S]*## Confidence[\s\S]*0\.5000 \(reference\)/,
    );
    expect(text).toContain("No model call was made.");
    expect(text).toContain("No model call was answered.");
  });
});

describe("resultSummary", () => {
  it("says the headline value, or that it is unavailable with its reference", () => {
    expect(resultSummary(report).overview).toBe("Resolved (native@1): 0.5000");
    const failed = computeReport({ ...INPUT, officialScore: false });
    expect(resultSummary(failed).overview).toBe("Resolved (native@1): unavailable; reference=0.5000 (2/2 valid tasks)");
    const empty = computeReport({ ...INPUT, tasks: [], plan: { k: 2, strategy: "avg" } });
    expect(resultSummary(empty).overview).toBe("Resolved (avg@2): unavailable, Resolved (pass@2): unavailable");
  });
});

describe("texts of a summary", () => {
  it("round numbers to four decimals as Python does", () => {
    const numbers = [0.03125, 0.09375, -0.03125, 1.5, 2 / 3, -0.00001, 123456.78905, 1e22];
    expect(numbers.map(fourDecimals)).toEqual([
      "0.0312",
      "0.0938",
      "-0.0312",
      "1.5000",
      "0.6667",
      "-0.0000",
      "123456.7891",
      "10000000000000000000000.0000",
    ]);
  });

  it("escape what Markdown would read, and keep to one line", () => {
    expect(markdownText("a|b\\`<&>\nc")).toBe("a\\|b\\\\\\`&lt;&amp;&gt; c");
    expect(markdownCode("x")).toBe("`x`");
    expect(markdownCode("a``b`\n")).toBe("```a``b` ```");
  });

  it("make columns as wide as the longest cell, counted in characters", () => {
    expect(markdownTable(["A"], [["😀 long"], [" b "]])).toEqual([
      "| A      |",
      "|--------|",
      "| 😀 long |",
      "| b      |",
    ]);
  });
});
