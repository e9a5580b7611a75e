import type { BlobStore } from "../port/index.ts";
import { RUN_FILES, sortedJson } from "../record/index.ts";
import {
  type AttemptPlan,
  computeReport,
  computeStatistics,
  groupIssues,
  type Measurement,
  type MetricContract,
  metricsDocument,
  type Report,
  renderSummary,
  type Statistics,
  type TaskResult,
} from "../result/index.ts";
import type { Params } from "../spec/resolved.ts";

export type ScoreAsk = {
  readonly benchmarkId: string;
  readonly modelId: string;
  readonly contract: MetricContract;
  readonly plan: AttemptPlan;
  readonly benchmarkParams: Params;
  readonly tasks: readonly TaskResult[];
  readonly measurements: readonly Measurement[];
  readonly officialScore: boolean;
  /** Lines for the reader of summary.md. */
  readonly notes: readonly string[];
};

export type Score = { readonly report: Report; readonly statistics: Statistics; readonly markdown: string };

/** The report of a run with its statistics and its text; throws `report.refused`. */
export function scoreRun(ask: ScoreAsk): Score {
  const input = {
    contract: ask.contract,
    plan: ask.plan,
    aggregation: {
      mode: ask.benchmarkParams["aggregation_mode"],
      hierarchy: ask.benchmarkParams["category_hierarchy"],
    },
    tasks: ask.tasks,
    officialScore: ask.officialScore,
  };
  const report = computeReport(input);
  const statistics = computeStatistics({ ...input, measurements: ask.measurements });
  const markdown = renderSummary({
    benchmarkId: ask.benchmarkId,
    model: ask.modelId,
    report,
    statistics,
    issues: groupIssues(ask.tasks),
    notes: ask.notes,
  });
  return { report, statistics, markdown };
}

/** Writes metrics.json and summary.md. */
export async function writeScore(store: BlobStore, score: Score): Promise<void> {
  await store.put(RUN_FILES.metrics, sortedJson(metricsDocument(score.report, score.statistics)), { durable: true });
  await store.put(RUN_FILES.summary, score.markdown, { durable: true });
}
