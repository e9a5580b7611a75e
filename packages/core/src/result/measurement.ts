import { z } from "zod";
import type { CostSource } from "../plugin/model.ts";

export const MEASUREMENT_SCHEMA = "agentcompass-ts.measurement.v1";

const count = z.number().int().nonnegative();
const duration = z.number().nonnegative();

const usageSchema = z.object({
  prompt_tokens: count.default(0),
  completion_tokens: count.default(0),
  cache_tokens: count.default(0),
  cache_write_tokens: count.default(0),
  reasoning_tokens: count.nullable().default(null),
  cost_usd: z.number().nonnegative().nullable().default(0),
  cost_calls: z.object({ endpoint: count.default(0), prices: count.default(0), unknown: count.default(0) }).optional(),
});

const measurementSchema = z.object({
  schema_version: z.literal(MEASUREMENT_SCHEMA),
  task_id: z.string(),
  attempt: z.number().int().positive(),
  waiting_ms: duration,
  working_ms: duration,
  calls: count.default(0),
  latency_ms: z.array(duration).default([]),
  usage: usageSchema.prefault({}),
  judge: z
    .object({ calls: count, latency_ms: z.array(duration).default([]), usage: usageSchema.prefault({}) })
    .optional(),
});

/** What an attempt used, its discarded executions included: the content of `attempt-<n>/measurement.json`. */
export type Measurement = {
  readonly task_id: string;
  /** From 1. */
  readonly attempt: number;
  /** For permits, pacing and retry delays. */
  readonly waiting_ms: number;
  /** The rest of its time. */
  readonly working_ms: number;
  /** Model calls, failed ones included. */
  readonly calls: number;
  /** Of each answered model call. */
  readonly latency_ms: readonly number[];
  readonly usage: MeasuredUsage;
  /** What models used that scored the answer; in none of the figures above. Absent when none was called. */
  readonly judge?: ModelMeasurement | undefined;
};

/** Answered calls by who said what they cost. */
export type CostCalls = Readonly<Record<CostSource, number>>;

/** Tokens and cost of answered model calls. */
export type MeasuredUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Prompt tokens read from a cache. */
  readonly cache_tokens: number;
  /** Prompt tokens written to a cache, where endpoints say so. */
  readonly cache_write_tokens: number;
  /** Part of completion_tokens; null when the endpoint does not say. */
  readonly reasoning_tokens: number | null;
  /** USD of the calls whose cost is known; null when there were calls and no cost is known. */
  readonly cost_usd: number | null;
  readonly cost_calls: CostCalls;
};

export const NO_USAGE: MeasuredUsage = {
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: null,
  cost_usd: 0,
  cost_calls: { endpoint: 0, prices: 0, unknown: 0 },
};

export type ModelMeasurement = Pick<Measurement, "calls" | "latency_ms" | "usage">;

/** The JSON of a measurement. */
export function measurementDocument(measurement: Measurement): Measurement & { readonly schema_version: string } {
  const { task_id, attempt, waiting_ms, working_ms, calls, latency_ms, usage, judge } = measurement;
  return {
    schema_version: MEASUREMENT_SCHEMA,
    task_id,
    attempt,
    waiting_ms,
    working_ms,
    calls,
    latency_ms,
    usage,
    ...(judge && { judge }),
  };
}

/**
 * Reads the JSON of a measurement; unknown keys are ignored. Undefined when it is none of this version, since a run
 * without measurements is still a run.
 */
export function parseMeasurement(document: unknown): Measurement | undefined {
  const parsed = measurementSchema.safeParse(document);
  if (!parsed.success) return undefined;
  const { schema_version: _version, judge, ...measurement } = parsed.data;
  return {
    ...measurement,
    ...withCostCalls(measurement),
    ...(judge && { judge: { ...judge, ...withCostCalls(judge) } }),
  };
}

type Parsed = { readonly latency_ms: readonly number[]; readonly usage: z.output<typeof usageSchema> };

/** Earlier versions did not say whose the cost is, and wrote 0 also where none was known. */
function withCostCalls({ latency_ms: { length: answered }, usage }: Parsed): { readonly usage: MeasuredUsage } {
  const { cost_calls: calls, cost_usd: cost, ...tokens } = usage;
  if (calls !== undefined) return { usage: { ...tokens, cost_usd: cost, cost_calls: calls } };
  const isKnown = cost !== null && cost > 0;
  const counts = { endpoint: isKnown ? answered : 0, prices: 0, unknown: isKnown ? 0 : answered };
  return { usage: { ...tokens, cost_usd: isKnown || answered === 0 ? cost : null, cost_calls: counts } };
}
