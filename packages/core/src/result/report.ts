import type { AttemptPlan, MetricDeclaration } from "./metric-contract.ts";
import type { Reducer } from "./series-plan.ts";

export type Counts = {
  readonly total: number;
  readonly evaluated: number;
  /** Apart from the others: tasks with a FATAL or ERROR issue or an unexplained missing attempt. */
  readonly error: number;
  readonly unavailable: number;
  readonly invalidated: number;
};

/** A category or a node of the hierarchy. */
export type Breakdown = {
  readonly value: number | null;
  /** The number that leaves invalidated tasks out, where there is no official one. */
  readonly reference_value: number | null;
  readonly counts: Counts;
  /** Tasks that have a value. */
  readonly aggregation_weight: number;
};

export type MetricDisplay = {
  readonly label: string;
  readonly description: null;
  readonly unit: null;
  readonly precision: null;
};

export type ReportAggregation = "micro_weighted" | "category_mean" | "category_hierarchy";

/** One number of a run with its parts. */
export type Series = {
  /** `<metric>.<reducer>@<k>`. */
  readonly series_id: string;
  readonly metric_id: string;
  readonly kind: MetricDeclaration["kind"];
  readonly reducer: Reducer;
  readonly role: "headline" | "auxiliary";
  readonly aggregation: ReportAggregation;
  readonly display: MetricDisplay;
  readonly k: number;
  readonly value: number | null;
  readonly reference_value: number | null;
  readonly counts: Counts;
  /** By category, in code-point order. */
  readonly categories: Readonly<Record<string, Breakdown>>;
  /** By path; empty without a hierarchy. */
  readonly hierarchy: Readonly<Record<string, Breakdown>>;
  readonly extra: Readonly<Record<string, unknown>>;
};

/** Content of metrics.json as AgentCompass writes it. */
export type Report = AttemptPlan & {
  readonly aggregation: ReportAggregation;
  readonly series: readonly Series[];
  /** True when there is no official score: a task was invalidated, or the model was never reached. */
  readonly evaluation_failed: boolean;
  readonly extra: Readonly<Record<string, unknown>>;
};
