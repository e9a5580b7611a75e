import { isPlainObject } from "../record/index.ts";
import type { AttemptResult } from "../result/attempt-result.ts";
import type { Measurement } from "../result/index.ts";

/**
 * What a trajectory says of an attempt that has no measurement.json, as in AgentCompass's own runs: calls, latencies and tokens of
 * its steps; how long it waited and worked is not in it and counts as 0; nor does it say what they cost. Undefined without steps.
 */
export function measureTrajectory(taskId: string, attempt: number, result: AttemptResult): Measurement | undefined {
  const steps: unknown = result.trajectory["steps" as keyof typeof result.trajectory];
  if (!Array.isArray(steps)) return undefined;
  const metrics = steps.flatMap((step: unknown) => {
    const metric = isPlainObject(step) ? step["metric"] : undefined;
    return isPlainObject(metric) && isCount(metric["llm_infer_ms"]) ? [metric] : [];
  });
  if (metrics.length === 0) return undefined;
  const sum = (field: string): number =>
    metrics.reduce((total, metric) => total + (isCount(metric[field]) ? Math.round(metric[field]) : 0), 0);
  return {
    task_id: taskId,
    attempt,
    waiting_ms: 0,
    working_ms: 0,
    calls: metrics.length,
    latency_ms: metrics.map((metric) => Number(metric["llm_infer_ms"])),
    usage: {
      prompt_tokens: sum("prompt_tokens_len"),
      completion_tokens: sum("completion_tokens_len"),
      cache_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: null,
      cost_usd: null,
      cost_calls: { endpoint: 0, prices: 0, unknown: metrics.length },
    },
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
