import type { Issue } from "../result/issue.ts";
import type { ModelRefusal } from "./model-refusal.ts";

export type RetryPolicy = {
  readonly maxRetries: number;
  /** Regular expressions searched in the code and message of ERROR issues; null retries only FATAL ones. */
  readonly patterns: readonly string[] | null;
  readonly minDelaySeconds: number;
  readonly maxDelaySeconds: number;
  /** Strict: what no retry can mend is not retried, and an endpoint's Retry-After is waited for. */
  readonly isStrict: boolean;
};

export type RetryAsk = {
  readonly issues: readonly Issue[];
  readonly retriesDone: number;
  /** How the last model call ended when it was not answered. */
  readonly refusal: ModelRefusal | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
};

export type RetryDecision =
  | { readonly retry: false /** Why the strict policy keeps a retry back. */; readonly heldBack?: string }
  | { readonly retry: true; readonly matchedPattern: string; readonly delaySeconds: number };

/** Longest that Retry-After is waited for. */
export const RETRY_AFTER_CAP_SECONDS = 600;

/** Why issues call for another try: `fatal`, the pattern that matched, or undefined. Warnings never do. */
export function retryReason(issues: readonly Issue[], patterns: readonly string[] | null): string | undefined {
  if (issues.some((issue) => issue.severity === "fatal")) return "fatal";
  const errors = issues.filter((issue) => issue.severity === "error");
  return (patterns ?? []).find((pattern) => {
    const expression = new RegExp(pattern);
    return errors.some((issue) => expression.test(issue.message) || expression.test(issue.code));
  });
}

/**
 * Decides after `retriesDone` retries. The wait doubles from the least to the greatest delay and is drawn uniformly from
 * its upper half (reference 4.4); it is slept while no permit is held.
 */
export function decideRetry(ask: RetryAsk, policy: RetryPolicy, random: () => number): RetryDecision {
  if (ask.retriesDone >= policy.maxRetries) return { retry: false };
  const matchedPattern = retryReason(ask.issues, policy.patterns);
  if (matchedPattern === undefined) return { retry: false };
  const backoff = backoffSeconds(ask.retriesDone, policy, random);
  if (!policy.isStrict) return { retry: true, matchedPattern, delaySeconds: backoff };
  const lasting = ask.refusal && !hasOtherCause(ask.issues) ? lastingReason(ask.refusal) : undefined;
  if (lasting !== undefined) return { retry: false, heldBack: lasting };
  return { retry: true, matchedPattern, delaySeconds: Math.max(backoff, askedFor(ask)) };
}

export function backoffSeconds(
  retriesDone: number,
  policy: Pick<RetryPolicy, "minDelaySeconds" | "maxDelaySeconds">,
  random: () => number,
): number {
  const base = Math.min(policy.minDelaySeconds * 2 ** retriesDone, policy.maxDelaySeconds);
  return base / 2 + (base / 2) * random();
}

const LASTING_STATUSES: Readonly<Record<number, string>> = {
  401: "the key is not accepted",
  402: "the account has no credit",
  403: "the key may not use the model",
  404: "there is no such model or address",
};

const LASTING_CODES: Readonly<Record<string, string>> = {
  model_context_overflow: "the conversation is longer than the model's context",
  model_parameter_unsupported: "the model does not take a parameter",
};

const INFRASTRUCTURE = new Set(["environment_failed", "setup_failed", "collect_failed"]);

/** A place that failed may work the next time, whatever a model said before. */
function hasOtherCause(issues: readonly Issue[]): boolean {
  return issues.some((issue) => issue.severity === "fatal" && INFRASTRUCTURE.has(issue.code));
}

/** What every further try would meet again; undefined for a refusal that may pass. */
function lastingReason({ status, code }: ModelRefusal): string | undefined {
  const known = LASTING_CODES[code];
  if (known !== undefined) return known;
  return status !== null && LASTING_STATUSES[status] ? `HTTP ${status}: ${LASTING_STATUSES[status]}` : undefined;
}

/** Seconds until the endpoint wants to be called again. */
function askedFor({ refusal, now }: RetryAsk): number {
  if (!refusal || refusal.notBefore === null) return 0;
  return Math.min((refusal.notBefore - now) / 1000, RETRY_AFTER_CAP_SECONDS);
}
