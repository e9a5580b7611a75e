import { exactMean, exactSum } from "./exact-sum.ts";
import type { Measurement } from "./measurement.ts";

export type TokenTotals = {
  readonly prompt: number;
  readonly completion: number;
  /** Part of prompt. */
  readonly cache: number;
  /** Part of completion; null when no endpoint says. */
  readonly reasoning: number | null;
  /** Prompt and completion. */
  readonly total: number;
};

/** Milliseconds; null figures when no call was answered. */
export type LatencyStatistics = { readonly count: number } & Readonly<
  Record<"mean" | "p50" | "p90" | "p95" | "p99" | "max", number | null>
>;

/** What a run used, over all attempts that were measured, discarded executions included. */
export type UsageStatistics = {
  readonly tokens: TokenTotals;
  readonly cost_usd: number;
  /** Of answered model calls. */
  readonly latency_ms: LatencyStatistics;
  /** Sums over attempts, which may have run at the same time. */
  readonly time: { readonly waiting_seconds: number; readonly working_seconds: number };
  /** Model calls, failed ones included. */
  readonly calls: number;
};

export function usageStatistics(measurements: readonly Measurement[]): UsageStatistics {
  const sum = (read: (measurement: Measurement) => number) => exactSum(measurements.map(read));
  return {
    tokens: tokenTotals(measurements),
    cost_usd: sum(({ usage }) => usage.cost_usd),
    latency_ms: latencyStatistics(measurements.flatMap((measurement) => [...measurement.latency_ms])),
    time: {
      waiting_seconds: sum((measurement) => measurement.waiting_ms) / 1000,
      working_seconds: sum((measurement) => measurement.working_ms) / 1000,
    },
    calls: sum((measurement) => measurement.calls),
  };
}

function tokenTotals(measurements: readonly Measurement[]): TokenTotals {
  const usages = measurements.map((measurement) => measurement.usage);
  const prompt = exactSum(usages.map((usage) => usage.prompt_tokens));
  const completion = exactSum(usages.map((usage) => usage.completion_tokens));
  const reasoning = usages.flatMap(({ reasoning_tokens }) => (reasoning_tokens === null ? [] : [reasoning_tokens]));
  return {
    prompt,
    completion,
    cache: exactSum(usages.map((usage) => usage.cache_tokens)),
    reasoning: reasoning.length > 0 ? exactSum(reasoning) : null,
    total: prompt + completion,
  };
}

function latencyStatistics(latencies: readonly number[]): LatencyStatistics {
  const sorted = [...latencies].sort((left, right) => left - right);
  return {
    count: sorted.length,
    mean: exactMean(sorted),
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1) ?? null,
  };
}

/** The value below which `percent` of 100 lie, linear between neighbours (type 7 of Hyndman and Fan, numpy's default). */
export function percentile(sorted: readonly number[], percent: number): number | null {
  const position = (percent / 100) * (sorted.length - 1);
  const index = Math.floor(position);
  const lower = sorted[index];
  if (lower === undefined) return null;
  const upper = sorted[index + 1] ?? lower;
  return lower + (upper - lower) * (position - index);
}
