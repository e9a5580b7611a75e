import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type MetricsCase, runMetricsCase } from "./metrics-case.ts";

const cases: MetricsCase[] = JSON.parse(readFileSync(new URL("metrics.json", import.meta.url), "utf8"));

describe("the metrics report agrees with AgentCompass", () => {
  it("has all its cases", () => {
    expect(cases).toHaveLength(106);
  });

  it.each(cases)("in the case $name", (given) => {
    expect(runMetricsCase(given)).toEqual([]);
  });

  it("is told apart from a report that differs", () => {
    const given = cases.find((candidate) => candidate.name === "k1-all-fine-1") as MetricsCase;
    const wrong = { ...given, expect: { ...given.expect, evaluation_failed: true } };
    expect(runMetricsCase(wrong)).toEqual(["evaluation_failed: ours false, expected true"]);
    expect(runMetricsCase({ ...given, expect: { refused: true, names: [] } })).toHaveLength(1);
  });
});
