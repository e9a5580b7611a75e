import { computeSeries, seriesId } from "./compute-report.ts";
import { CONFIDENCE_LEVEL } from "./interval.ts";
import type { Measurement } from "./measurement.ts";
import type { ReportInput } from "./report-input.ts";
import { type SeriesStatistics, seriesStatistics } from "./series-statistics.ts";
import { type UsageStatistics, usageStatistics } from "./usage-statistics.ts";

export const STATISTICS_SCHEMA = "agentcompass-ts.statistics.v1";

/** Our own top-level key `statistics` of metrics.json: how sure each value is and what the run used. */
export type Statistics = UsageStatistics & {
  readonly schema_version: string;
  readonly confidence_level: number;
  /** By series id, in the report's order. */
  readonly series: Readonly<Record<string, SeriesStatistics>>;
};

/**
 * Standard errors and 95 % intervals beside every mean of the report that the same input gives, and totals of the
 * measurements. Throws `report.refused` where the report would be.
 */
export function computeStatistics(input: ReportInput & { readonly measurements: readonly Measurement[] }): Statistics {
  const { aggregation, failed, series } = computeSeries(input);
  const entries = series.map((computed): [string, SeriesStatistics] => [
    seriesId(computed.plan, input.plan.k),
    seriesStatistics(computed, aggregation, failed),
  ]);
  return {
    schema_version: STATISTICS_SCHEMA,
    confidence_level: CONFIDENCE_LEVEL,
    series: Object.fromEntries(entries),
    ...usageStatistics(input.measurements),
  };
}
