import { fourDecimals } from "./number-text.ts";
import type { Counts, Report, ReportAggregation, Series } from "./report.ts";
import type { Reducer } from "./series-plan.ts";
import { seriesLabel } from "./series-text.ts";
import type { Statistics } from "./statistics.ts";

/** Content of metrics.json: AgentCompass's report and our statistics. */
export type MetricsDocument = Report & { readonly statistics?: Statistics };

export type SeriesSummary = {
  readonly series_id: string;
  readonly metric_id: string;
  readonly reducer: Reducer;
  readonly aggregation: ReportAggregation;
  readonly value: number | null;
  readonly reference_value: number | null;
  readonly counts: Counts;
};

/** The headline series of a report in short. */
export type ResultSummary = {
  /** One line for people. */
  readonly overview: string;
  readonly evaluation_failed: boolean;
  readonly plan: Pick<Report, "k" | "strategy" | "aggregation">;
  /** Series id to value. */
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly series: readonly SeriesSummary[];
};

/** What a finished request returns. */
export type ResultObject = {
  readonly evaluation_failed: boolean;
  readonly metadata: {
    readonly model: string;
    readonly total_tasks: number;
    /** The id of the environment, as AgentCompass has it. */
    readonly benchmark_type: string;
    /** Redacted. */
    readonly evaluation_params: Readonly<Record<string, unknown>>;
  };
  readonly metrics: MetricsDocument;
  readonly summary: ResultSummary;
  /** Kind of file to its place. */
  readonly paths: Readonly<Record<string, string>>;
  readonly applied_recipes: readonly string[];
};

export type ResultInput = {
  readonly model: string;
  readonly environmentId: string;
  /** The caller redacts them. */
  readonly evaluationParams: Readonly<Record<string, unknown>>;
  readonly totalTasks: number;
  readonly report: Report;
  readonly statistics?: Statistics;
  readonly paths: Readonly<Record<string, string>>;
  readonly appliedRecipes?: readonly string[];
};

/** The object that `run` prints and the SDK returns. */
export function resultObject(input: ResultInput): ResultObject {
  return {
    evaluation_failed: input.report.evaluation_failed,
    metadata: {
      model: input.model,
      total_tasks: input.totalTasks,
      benchmark_type: input.environmentId,
      evaluation_params: input.evaluationParams,
    },
    metrics: metricsDocument(input.report, input.statistics),
    summary: resultSummary(input.report),
    paths: input.paths,
    applied_recipes: input.appliedRecipes ?? [],
  };
}

export function metricsDocument(report: Report, statistics: Statistics | undefined): MetricsDocument {
  return statistics ? { ...report, statistics } : report;
}

export function resultSummary(report: Report): ResultSummary {
  const { k, strategy, aggregation, evaluation_failed } = report;
  const headlines = report.series.filter((series) => series.role === "headline");
  return {
    overview: headlines.map((series) => overview(series, evaluation_failed)).join(", "),
    evaluation_failed,
    plan: { k, strategy, aggregation },
    metrics: Object.fromEntries(headlines.map((series) => [series.series_id, series.value])),
    series: headlines.map(
      ({ series_id, metric_id, reducer, aggregation: formula, value, reference_value, counts }) => ({
        series_id,
        metric_id,
        reducer,
        aggregation: formula,
        value,
        reference_value,
        counts,
      }),
    ),
  };
}

function overview(series: Series, failed: boolean): string {
  const { value, reference_value, counts } = series;
  const official = `${seriesLabel(series)}: ${valueOrUnavailable(value)}`;
  if (!failed) return official;
  const valid = `${counts.evaluated}/${counts.total} valid tasks`;
  return `${official}; reference=${valueOrUnavailable(reference_value)} (${valid})`;
}

function valueOrUnavailable(value: number | null): string {
  return value === null ? "unavailable" : fourDecimals(value);
}
