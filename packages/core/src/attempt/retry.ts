import type { Issue } from "../result/issue.ts";

export type RetryPolicy = {
  readonly maxRetries: number;
  /** Regular expressions searched in the code and message of ERROR issues; null retries only FATAL ones. */
  readonly patterns: readonly string[] | null;
  readonly minDelaySeconds: number;
  readonly maxDelaySeconds: number;
};

export type RetryDecision =
  | { readonly retry: false }
  | { readonly retry: true; readonly matchedPattern: string; readonly delaySeconds: number };

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
export function decideRetry(
  issues: readonly Issue[],
  retriesDone: number,
  policy: RetryPolicy,
  random: () => number,
): RetryDecision {
  if (retriesDone >= policy.maxRetries) return { retry: false };
  const matchedPattern = retryReason(issues, policy.patterns);
  if (matchedPattern === undefined) return { retry: false };
  return { retry: true, matchedPattern, delaySeconds: backoffSeconds(retriesDone, policy, random) };
}

export function backoffSeconds(retriesDone: number, policy: RetryPolicy, random: () => number): number {
  const base = Math.min(policy.minDelaySeconds * 2 ** retriesDone, policy.maxDelaySeconds);
  return base / 2 + (base / 2) * random();
}
