import { exactMean, exactSum } from "./exact-sum.ts";
import type { CostCalls, Measurement, ModelMeasurement } from "./measurement.ts";

export type TokenTotals = {
  readonly prompt: number;
  readonly completion: number;
  /** Part of prompt. */
  readonly cache: number;
  /** Part of prompt, where endpoints say so. */
  readonly cache_write: number;
  /** Part of completion; null when no endpoint says. */
  readonly reasoning: number | null;
  /** Prompt and completion. */
  readonly total: number;
};

/** Milliseconds; null figures when no call was answered. */
export type LatencyStatistics = { readonly count: number } & Readonly<
  Record<"mean" | "p50" | "p90" | "p95" | "p99" | "max", number | null>
>;

/** What model calls used. */
export type UsageTotals = {
  /** Failed ones included. */
  readonly calls: number;
  readonly tokens: TokenTotals;
  /** USD of the answered calls whose cost is known; null when calls were made and no cost is known, also when none was answered. */
  readonly cost_usd: number | null;
  /** Answered calls by who said what they cost. */
  readonly cost_calls: CostCalls;
};

type MeteredUsage = UsageTotals & {
  /** Of answered model calls. */
  readonly latency_ms: LatencyStatistics;
};

/** What a run used, over all attempts that were measured, discarded executions included. */
export type UsageStatistics = MeteredUsage & {
  /** Sums over attempts, which may have run at the same time. */
  readonly time: { readonly waiting_seconds: number; readonly working_seconds: number };
  /** What models used that scored answers; in none of the figures above. Absent when none was called. */
  readonly judge?: MeteredUsage;
};

export function usageStatistics(measurements: readonly Measurement[]): UsageStatistics {
  const sum = (read: (measurement: Measurement) => number) => exactSum(measurements.map(read));
  const judges = judgesOf(measurements);
  return {
    ...meteredUsage(measurements),
    time: {
      waiting_seconds: sum((measurement) => measurement.waiting_ms) / 1000,
      working_seconds: sum((measurement) => measurement.working_ms) / 1000,
    },
    ...(judges.length > 0 && { judge: meteredUsage(judges) }),
  };
}

/** What the models of the scorers used in these attempts. */
export function judgesOf(measurements: readonly Measurement[]): readonly ModelMeasurement[] {
  return measurements.flatMap(({ judge }) => (judge ? [judge] : []));
}

function meteredUsage(measured: readonly ModelMeasurement[]): MeteredUsage {
  return {
    ...usageTotals(measured),
    latency_ms: latencyStatistics(measured.flatMap(({ latency_ms }) => [...latency_ms])),
  };
}

export function usageTotals(measured: readonly ModelMeasurement[]): UsageTotals {
  const costs = measured.flatMap(({ usage }) => (usage.cost_usd === null ? [] : [usage.cost_usd]));
  const from = (source: keyof CostCalls) => exactSum(measured.map(({ usage }) => usage.cost_calls[source]));
  const sources = { endpoint: from("endpoint"), prices: from("prices"), unknown: from("unknown") };
  const calls = exactSum(measured.map((one) => one.calls));
  return {
    calls,
    tokens: tokenTotals(measured),
    cost_usd: isCostOpen(calls, sources) ? null : exactSum(costs),
    cost_calls: sources,
  };
}

/** True when calls were made and nobody says what any of them cost; without a call the cost is 0. */
export function isCostOpen(calls: number, { endpoint, prices }: CostCalls): boolean {
  return calls > 0 && endpoint + prices === 0;
}

function tokenTotals(measured: readonly ModelMeasurement[]): TokenTotals {
  const usages = measured.map(({ usage }) => usage);
  const prompt = exactSum(usages.map((usage) => usage.prompt_tokens));
  const completion = exactSum(usages.map((usage) => usage.completion_tokens));
  const reasoning = usages.flatMap(({ reasoning_tokens }) => (reasoning_tokens === null ? [] : [reasoning_tokens]));
  return {
    prompt,
    completion,
    cache: exactSum(usages.map((usage) => usage.cache_tokens)),
    cache_write: exactSum(usages.map((usage) => usage.cache_write_tokens)),
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
