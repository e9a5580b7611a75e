import type { Aggregation } from "./aggregation.ts";
import { addCounts, type Category, type Combination, combine, type Group } from "./combination.ts";
import { metricLabel } from "./metric-values.ts";
import type { Breakdown, Report, Series } from "./report.ts";
import { checkReportInput, type ReportInput } from "./report-input.ts";
import { primaryMetric, type SeriesPlan, seriesPlans } from "./series-plan.ts";
import { tasksByCategory } from "./series-tasks.ts";
import { taskState } from "./task-reduction.ts";

/** A series before it is decided whether its numbers are official. */
export type ComputedSeries = {
  readonly plan: SeriesPlan;
  readonly categories: ReadonlyMap<string, Category>;
  readonly combination: Combination;
};

export type ComputedReport = {
  readonly aggregation: Aggregation;
  readonly failed: boolean;
  readonly series: readonly ComputedSeries[];
};

/**
 * The content of metrics.json. It depends on what the tasks hold, not on their order. When a task was invalidated, or
 * `officialScore` is false, every value moves to `reference_value`. Throws `report.refused`.
 */
export function computeReport(input: ReportInput): Report {
  const { aggregation, failed, series } = computeSeries(input);
  const { k, strategy } = input.plan;
  return {
    k,
    strategy,
    aggregation: aggregation.mode,
    series: series.map((computed) => seriesReport(computed, aggregation, k, failed)),
    evaluation_failed: failed,
    extra: {},
  };
}

/** What report and statistics share: the task values of every series and how they combine. Throws `report.refused`. */
export function computeSeries(input: ReportInput): ComputedReport {
  const aggregation = checkReportInput(input);
  const { contract, plan, officialScore = true } = input;
  const primaryId = primaryMetric(contract).id;
  const tasks = input.tasks.map((task) => ({ task, state: taskState(task, plan, primaryId) }));
  const series = seriesPlans(contract, plan).map((seriesPlan) => {
    const categories = tasksByCategory(tasks, seriesPlan, plan);
    return { plan: seriesPlan, categories, combination: combine(aggregation, categories) };
  });
  return { aggregation, failed: !officialScore || tasks.some(({ state }) => state.invalidated), series };
}

/** `<metric>.<reducer>@<k>`. */
export function seriesId({ metric, reducer }: SeriesPlan, k: number): string {
  return `${metric.id}.${reducer}@${k}`;
}

function seriesReport(computed: ComputedSeries, aggregation: Aggregation, k: number, failed: boolean): Series {
  const { plan, categories, combination } = computed;
  const inAll = [...categories.values()].map((category) => category.group.counts);
  return {
    series_id: seriesId(plan, k),
    metric_id: plan.metric.id,
    kind: plan.metric.kind,
    reducer: plan.reducer,
    role: plan.metric.primary ? "headline" : "auxiliary",
    aggregation: aggregation.mode,
    display: { label: metricLabel(plan.metric), description: null, unit: null, precision: null },
    k,
    ...officialOrReference(combination.root.value, failed),
    counts: addCounts(inAll),
    categories: Object.fromEntries([...categories].map(([name, { group }]) => [name, breakdown(group, failed)])),
    hierarchy: Object.fromEntries([...combination.nodes].map(([path, group]) => [path, breakdown(group, failed)])),
    extra: {},
  };
}

function breakdown(group: Group, failed: boolean): Breakdown {
  return {
    ...officialOrReference(group.value, failed),
    counts: group.counts,
    aggregation_weight: group.counts.evaluated,
  };
}

function officialOrReference(value: number | null, failed: boolean): Pick<Breakdown, "value" | "reference_value"> {
  return failed ? { value: null, reference_value: value } : { value, reference_value: null };
}
