import type { AgentCompassError } from "../error.ts";
import type { OutcomeUsage } from "./outcome-usage.ts";

export type RequestStatus = "completed" | "failed" | "timed_out" | "cancelled";

/** How one request ended, as it is returned and printed. */
export type RequestOutcome = {
  readonly name: string;
  readonly status: RequestStatus;
  /** The object of reference 5.6; null when the request never got that far. */
  readonly result: Readonly<Record<string, unknown>> | null;
  /** One line; empty when completed. */
  readonly error: string;
  readonly paths: Readonly<Record<string, string>>;
  /** Tokens and cost of model calls so far, however the request ended; null when it never got a run directory. */
  readonly usage: OutcomeUsage | null;
};

export type OrchestrationStatus = "completed" | "partial_failure" | "timed_out" | "cancelled" | "failed";

export type OrchestrationResult = {
  readonly orchestration_id: string;
  readonly name: string;
  readonly status: OrchestrationStatus;
  /** In declaration order. */
  readonly requests: Readonly<Record<string, RequestOutcome>>;
  /** Tokens and cost of model calls over all requests. */
  readonly usage: OutcomeUsage;
  readonly started_at: string;
  readonly finished_at: string;
};

/** An outcome with the error that made it, which a single run throws. */
export type RequestEnd = { readonly outcome: RequestOutcome; readonly cause?: AgentCompassError };

/** A request that failed makes `partial_failure`, also when all did (reference 3.10). */
export function orchestrationStatus(
  stopped: "timed_out" | "cancelled" | undefined,
  ends: readonly RequestEnd[],
): OrchestrationStatus {
  if (stopped) return stopped;
  return ends.every((end) => end.outcome.status === "completed") ? "completed" : "partial_failure";
}
