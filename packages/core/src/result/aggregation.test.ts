import { describe, expect, it } from "vitest";
import { AgentCompassError } from "../error.ts";
import { checkAggregation } from "./aggregation.ts";
import type { MetricContract } from "./metric-contract.ts";
import { metricLabel, parseMetrics } from "./metric-values.ts";
import { checkPlan } from "./series-plan.ts";

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (AgentCompassError.isInstance(error) && error.code === "report.refused") return error.message;
    throw error;
  }
  return "accepted";
}

const tree = (root: unknown) => refusal(() => checkAggregation({ category_hierarchy: { overall: root } }));
const group = (children: unknown, aggregation = "unweighted") => tree({ aggregation, children });

describe("checkAggregation", () => {
  it("accepts absent parameters, a mode, and what counts as an absent hierarchy", () => {
    expect(checkAggregation({ limit: 3 })).toEqual({ mode: undefined, hierarchy: undefined });
    for (const hierarchy of [null, {}, [], false, ""]) {
      expect(
        refusal(() => checkAggregation({ aggregation_mode: "category_mean", category_hierarchy: hierarchy })),
      ).toBe("accepted");
    }
  });

  it("refuses an unknown mode, also beside a hierarchy, saying what is allowed", () => {
    const message = refusal(() =>
      checkAggregation({ aggregation_mode: "median", category_hierarchy: { overall: {} } }),
    );
    expect(message).toBe(
      'aggregation_mode: found "median", allowed are micro_weighted, category_mean; for a tree of categories give category_hierarchy',
    );
  });

  it.each([
    ["a node that is no object", group({ x: null }), "overall/x"],
    ["a group without aggregation", tree({ children: { x: {} } }), "overall: a leaf cannot have children"],
    ["an aggregation of null", group({ x: { aggregation: null } }), "overall/x"],
    ["children as a list", group(["x"]), "children"],
    ["a wrong weight where none is needed", group({ x: { weight: "2" } }), "overall/x: weight"],
    ["a weight of true", group({ x: { weight: true } }, "weighted"), "overall/x: weight"],
    ["a name with blanks around", group({ " x": {} }), '" x"'],
    ["an empty name", group({ "": {} }), "empty"],
    ["a wrong weight of the root", tree({ weight: -1 }), "overall: weight"],
  ])("refuses %s", (_what, message, named) => {
    expect(message).toContain(named);
    expect(message).not.toContain("\n");
  });

  it("accepts leaves with empty children and weights of null outside weighted nodes", () => {
    expect(group({ x: { aggregation: "leaf", children: {} }, y: { weight: null } })).toBe("accepted");
  });
});

describe("checkPlan", () => {
  const scalar: MetricContract = [{ id: "score", kind: "scalar", primary: true }];

  it("refuses pass for a scalar primary metric, a broken k and a contract without primary", () => {
    expect(refusal(() => checkPlan(scalar, { k: 1, strategy: "pass" }))).toContain("score");
    expect(refusal(() => checkPlan(scalar, { k: 0, strategy: "avg" }))).toContain("k: found 0");
    expect(refusal(() => checkPlan([], { k: 1, strategy: "avg" }))).toContain("exactly one");
    expect(refusal(() => checkPlan(scalar, { k: 3, strategy: "avg" }))).toBe("accepted");
  });
});

describe("parseMetrics", () => {
  const contract: MetricContract = [
    { id: "correct", kind: "binary_success", primary: true },
    { id: "steps", kind: "scalar", primary: false },
  ];

  it("returns declared metrics of the right kind", () => {
    expect(parseMetrics(contract, { correct: false, steps: 2 })).toEqual({ correct: false, steps: 2 });
  });

  it("refuses what is undeclared or of another kind, naming the declared ones", () => {
    expect(refusal(() => parseMetrics(contract, { speed: 1 }))).toContain("metrics.speed");
    expect(refusal(() => parseMetrics(contract, { speed: 1 }))).toContain("correct, steps");
    expect(refusal(() => parseMetrics(contract, { correct: "yes" }))).toContain('found "yes"');
    expect(refusal(() => parseMetrics(contract, { steps: Number.NaN }))).toContain("found NaN");
    expect(refusal(() => parseMetrics(contract, { toString: 1 }))).toContain("toString");
  });
});

describe("metricLabel", () => {
  it.each([
    ["cost_usd", "Cost Usd"],
    ["wall-time.s", "Wall-Time.S"],
    ["a2b", "A2B"],
  ])("titles %s as %s", (id, label) => {
    expect(metricLabel({ id, kind: "scalar", primary: false })).toBe(label);
  });
});
