import { readFileSync } from "node:fs";
import { type Report, renderSummary, resultSummary } from "@agentcompass/core/result";
import { describe, expect, it } from "vitest";

const RUNS = new URL("runs/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, RUNS), "utf8");

describe("summary.md agrees with AgentCompass", () => {
  it.each(["a", "b", "c", "d/group/good/d", "d/group/bad/d", "f"])("in run %s", (run) => {
    const report: Report = JSON.parse(read(`${run}/metrics.json`));
    const text = renderSummary({ benchmarkId: "special_pattern_check", model: "stub-model", report });
    expect(text).toBe(read(`${run}/summary.md`));
  });
});

describe("the result's summary agrees with AgentCompass", () => {
  const printed = read("d/stderr.txt");
  const outcome = JSON.parse(printed.slice(printed.indexOf("\n{") + 1));

  it.each(["good", "bad"])("in request %s of run d", (name) => {
    const { metrics, summary } = outcome.requests[name].result;
    expect(resultSummary(metrics)).toEqual(summary);
  });
});
