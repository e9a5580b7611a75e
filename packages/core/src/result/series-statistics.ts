import type { Aggregation } from "./aggregation.ts";
import type { Category, Group } from "./combination.ts";
import type { ComputedSeries } from "./compute-report.ts";
import { exactMean } from "./exact-sum.ts";
import { combineEstimates, type Estimate, standardError, studentInterval, wilsonInterval } from "./interval.ts";

/** Where an interval comes from: see wilsonInterval, studentInterval, combineEstimates. */
export type IntervalMethod = "wilson" | "student_t" | "combined";

/** How sure a value is. The unit that repeats is the task: attempts of one task are not independent. */
export type Certainty = {
  /** Tasks that have a value. */
  readonly n: number;
  /** Null when no task has a value. */
  readonly mean: number | null;
  readonly standard_error: number | null;
  /** 95 %; null when it cannot be had. */
  readonly interval: Estimate["interval"];
  readonly method: IntervalMethod | null;
};

export type SeriesStatistics = Certainty & {
  /** True when the mean is no official score but leaves invalidated tasks out. */
  readonly reference: boolean;
  readonly categories: Readonly<Record<string, Certainty>>;
  readonly hierarchy: Readonly<Record<string, Certainty>>;
};

const NOTHING: Certainty = { n: 0, mean: null, standard_error: null, interval: null, method: null };

/** The certainty of a series, its categories and its hierarchy. */
export function seriesStatistics(
  series: ComputedSeries,
  aggregation: Aggregation,
  reference: boolean,
): SeriesStatistics {
  const byGroup = new Map<Group, Certainty>();
  for (const category of series.categories.values()) byGroup.set(category.group, ofValues(series, category.values));
  const { root, nodes } = series.combination;
  const total =
    aggregation.mode === "micro_weighted" ? ofValues(series, allValues(series.categories)) : ofGroup(root, byGroup);
  return {
    ...total,
    reference,
    categories: mapValues(series.categories, ({ group }) => byGroup.get(group) ?? NOTHING),
    hierarchy: mapValues(nodes, (group) => ofGroup(group, byGroup)),
  };
}

/**
 * Wilson for values of 0 and 1 (native, pass); else Student's t over the tasks' values. Where an average of attempts is
 * the same in every task, t would claim certainty: Wilson with that share is then the cautious choice, as no values within
 * 0 and 1 of that mean spread more.
 */
function ofValues({ plan }: ComputedSeries, values: readonly number[]): Certainty {
  const n = values.length;
  const mean = exactMean(values);
  if (mean === null) return NOTHING;
  const error = standardError(values);
  const alike = n > 1 && values.every((value) => value === values[0]);
  if (plan.metric.kind === "binary_success" && (plan.reducer !== "avg" || alike)) {
    return { n, mean, standard_error: error, interval: wilsonInterval(mean, n), method: "wilson" };
  }
  if (error === null) return { n, mean, standard_error: null, interval: null, method: null };
  return { n, mean, standard_error: error, interval: studentInterval(mean, error, n), method: "student_t" };
}

function ofGroup(group: Group, byGroup: Map<Group, Certainty>): Certainty {
  const known = byGroup.get(group);
  if (known) return known;
  const certainty = ofParts(group, byGroup);
  byGroup.set(group, certainty);
  return certainty;
}

function ofParts(group: Group, byGroup: Map<Group, Certainty>): Certainty {
  if (group.value === null) return NOTHING;
  const parts = group.parts.map((part) => ({ weight: part.weight, certainty: ofGroup(part.group, byGroup) }));
  const n = parts.reduce((sum, { certainty }) => sum + certainty.n, 0);
  const [only] = parts;
  if (only && parts.length === 1) return only.certainty;
  const estimates = parts.map(({ weight, certainty }) => ({
    weight,
    estimate: { ...certainty, mean: certainty.mean ?? 0 },
  }));
  const { mean, standard_error, interval } = combineEstimates(group.value, estimates);
  return { n, mean, standard_error, interval, method: interval && "combined" };
}

function allValues(categories: ReadonlyMap<string, Category>): number[] {
  return [...categories.values()].flatMap((category) => category.values);
}

function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries([...map].map(([key, value]) => [key, change(value)]));
}
