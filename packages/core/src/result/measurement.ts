import { z } from "zod";

export const MEASUREMENT_SCHEMA = "agentcompass-ts.measurement.v1";

const count = z.number().int().nonnegative();
const duration = z.number().nonnegative();

const usageSchema = z.object({
  prompt_tokens: count.default(0),
  completion_tokens: count.default(0),
  cache_tokens: count.default(0),
  reasoning_tokens: count.nullable().default(null),
  cost_usd: z.number().nonnegative().default(0),
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
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    /** Prompt tokens served from a cache. */
    readonly cache_tokens: number;
    /** Part of completion_tokens; null when the endpoint does not say. */
    readonly reasoning_tokens: number | null;
    readonly cost_usd: number;
  };
};

/** The JSON of a measurement. */
export function measurementDocument(measurement: Measurement): Measurement & { readonly schema_version: string } {
  const { task_id, attempt, waiting_ms, working_ms, calls, latency_ms, usage } = measurement;
  return { schema_version: MEASUREMENT_SCHEMA, task_id, attempt, waiting_ms, working_ms, calls, latency_ms, usage };
}

/**
 * Reads the JSON of a measurement; unknown keys are ignored. Undefined when it is none of this version, since a run
 * without measurements is still a run.
 */
export function parseMeasurement(document: unknown): Measurement | undefined {
  const parsed = measurementSchema.safeParse(document);
  if (!parsed.success) return undefined;
  const { schema_version: _version, ...measurement } = parsed.data;
  return measurement;
}
