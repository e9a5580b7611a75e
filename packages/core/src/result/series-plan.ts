import { AgentCompassError } from "../error.ts";
import type { AttemptPlan, MetricContract, MetricDeclaration } from "./metric-contract.ts";
import { shown } from "./metric-values.ts";

export type Reducer = "native" | "avg" | "pass";

/** One number of a report: a metric and how its attempts become a task's value. */
export type SeriesPlan = { readonly metric: MetricDeclaration; readonly reducer: Reducer };

/**
 * Refuses a plan that the metrics cannot follow, before any task runs: k must be a whole number of at least 1, and
 * `pass` needs a binary primary metric. Throws `report.refused`.
 */
export function checkPlan(contract: MetricContract, plan: AttemptPlan): void {
  if (!Number.isSafeInteger(plan.k) || plan.k < 1) {
    throw new AgentCompassError("report.refused", `k: found ${shown(plan.k)}, allowed is a whole number from 1`);
  }
  if (plan.strategy !== "avg" && plan.strategy !== "pass") {
    throw new AgentCompassError("report.refused", `strategy: found ${shown(plan.strategy)}, allowed are avg and pass`);
  }
  const primary = primaryMetric(contract);
  if (plan.strategy === "pass" && primary.kind !== "binary_success") {
    throw new AgentCompassError(
      "report.refused",
      `strategy: pass needs a true-or-false primary metric, but ${primary.id} is a ${primary.kind}; use strategy avg`,
    );
  }
}

/** The one primary metric. Throws `report.refused` when there is none or more than one. */
export function primaryMetric(contract: MetricContract): MetricDeclaration {
  const primaries = contract.filter((declaration) => declaration.primary);
  const [primary] = primaries;
  if (!primary || primaries.length > 1) {
    const found = primaries.map((declaration) => declaration.id).join(", ") || "none";
    throw new AgentCompassError("report.refused", `metrics: exactly one must be primary, found ${found}`);
  }
  return primary;
}

/** The series of a report in order: primary, binary, scalar metrics; avg before pass of the same metric. */
export function seriesPlans(contract: MetricContract, plan: AttemptPlan): SeriesPlan[] {
  const primary = primaryMetric(contract);
  if (plan.k > 1 && plan.strategy === "pass") return [{ metric: primary, reducer: "pass" }];
  return inReportOrder(contract, primary).flatMap((metric) => reducersOf(metric, plan.k));
}

function inReportOrder(contract: MetricContract, primary: MetricDeclaration): MetricDeclaration[] {
  const others = contract.filter((declaration) => declaration !== primary);
  const ofKind = (kind: MetricDeclaration["kind"]) => others.filter((declaration) => declaration.kind === kind);
  return [primary, ...ofKind("binary_success"), ...ofKind("scalar")];
}

function reducersOf(metric: MetricDeclaration, k: number): SeriesPlan[] {
  if (k === 1) return [{ metric, reducer: "native" }];
  const average: SeriesPlan = { metric, reducer: "avg" };
  return metric.kind === "binary_success" ? [average, { metric, reducer: "pass" }] : [average];
}
