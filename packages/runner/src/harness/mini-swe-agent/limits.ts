import type { Exit } from "./conversation.ts";

export type Spent = { readonly calls: number; readonly costUsd: number; readonly formatErrors: number };

export type Limits = {
  /** Model calls; 0 is no limit. */
  readonly steps: number;
  /** US dollars; 0 is no limit. */
  readonly costUsd: number;
  /** Epoch milliseconds at which the agent stops by itself; undefined is never. */
  readonly stopAt: number | undefined;
};

const MOST_FORMAT_ERRORS = 3;
const LONGEST_MARGIN_MS = 2000;
const MARGIN_SHARE = 0.05;

/** Looked at before each model call: why there is no further one. */
export function limitReached(spent: Spent, limits: Limits, now: number): Exit | undefined {
  if (spent.formatErrors >= MOST_FORMAT_ERRORS) return { status: "RepeatedFormatError", submission: "" };
  if (limits.steps > 0 && spent.calls >= limits.steps)
    return { status: "LimitsExceeded", submission: "", limit: "step_limit" };
  if (limits.costUsd > 0 && spent.costUsd >= limits.costUsd)
    return { status: "LimitsExceeded", submission: "", limit: "cost_limit" };
  if (limits.stopAt !== undefined && now >= limits.stopAt) return { status: "TimeExceeded", submission: "" };
  return undefined;
}

/** A little before the deadline, so that what was done is handed over before the run is stopped from outside. */
export function stopTime(deadlineAt: number | undefined, now: number): number | undefined {
  if (deadlineAt === undefined) return undefined;
  return deadlineAt - Math.min(LONGEST_MARGIN_MS, Math.max(0, deadlineAt - now) * MARGIN_SHARE);
}
