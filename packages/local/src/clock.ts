import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Ids, Random } from "@agentcompass/core/port";

/** Node fires timers beyond this many milliseconds at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
  offsetMinutes: (now) => -new Date(now).getTimezoneOffset() || 0,
};

/** Random ids of 32 hexadecimal digits. */
export const systemIds: Ids = { hex: () => randomUUID().replaceAll("-", "") };

export const systemRandom: Random = () => Math.random();

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const until = performance.now() + ms;
  try {
    for (let left = ms; left > 0 || left === ms; left = until - performance.now()) {
      await delay(Math.min(Math.max(left, 0), LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal });
    }
  } catch (error) {
    // node:timers rejects with an AbortError of its own; the caller is promised the reason.
    throw signal?.aborted ? signal.reason : error;
  }
}
