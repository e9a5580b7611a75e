import { resolve } from "node:path";
import { RUN_FILES } from "@agentcompass/core/record";
import { metricsDocument, resultSummary } from "@agentcompass/core/result";
import { mergeConfigLayers } from "@agentcompass/core/spec";
import { components } from "./catalog.ts";
import { configLayersOf } from "./config-layers.ts";
import type { LaunchOptions } from "./options.ts";
import { requireRunDirectory } from "./run-directory.ts";

export type SummaryOptions = Pick<LaunchOptions, "configPath" | "catalog" | "components"> & {
  /** Over the run's own benchmark parameters, for instance another aggregation_mode. */
  readonly benchmarkParams?: Readonly<Record<string, unknown>>;
  /** Compute and return only; nothing is written. @default false */
  readonly dryRun?: boolean;
};

export type SummaryReport = {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, string>>;
  readonly markdown: string;
  readonly dry_run: boolean;
};

/**
 * Recomputes metrics.json and summary.md of a run directory, ours or AgentCompass's, from the results that it holds.
 * Rejects with `run.unreadable` when it is none, `report.refused` when its results do not fit the aggregation.
 */
export async function summary(runDirectory: string, options: SummaryOptions = {}): Promise<SummaryReport> {
  const [{ recomputeSummary }, { FolderBlobStore, systemClock }] = await Promise.all([
    import("@agentcompass/core/engine"),
    import("@agentcompass/local"),
  ]);
  const path = resolve(runDirectory);
  await requireRunDirectory(path);
  const catalog = options.catalog ?? (await components(options));
  const config = mergeConfigLayers(await configLayersOf(options), process.env);
  const recomputed = await recomputeSummary({
    store: new FolderBlobStore(path),
    clock: systemClock,
    contractOf: async (id) => (await catalog.benchmark.get(id)?.load?.())?.metrics,
    configured: config.components.benchmark,
    benchmarkParams: options.benchmarkParams ?? {},
    dryRun: options.dryRun ?? false,
  });
  return {
    metadata: {
      model: recomputed.modelId,
      benchmark: recomputed.benchmarkId,
      total_tasks: recomputed.tasks.length,
    },
    metrics: { ...metricsDocument(recomputed.report, recomputed.statistics) },
    summary: { ...resultSummary(recomputed.report) },
    paths: { summary_md: resolve(path, RUN_FILES.summary), metrics_json: resolve(path, RUN_FILES.metrics) },
    markdown: recomputed.markdown,
    dry_run: options.dryRun ?? false,
  };
}
