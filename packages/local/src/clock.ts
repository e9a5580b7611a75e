import { randomUUID } from "node:crypto";
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

/** Of its own, for node:timers makes an error with a stack for every sleep that is cut short, as most time limits are. */
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const until = performance.now() + ms;
  for (let left = ms; left > 0 || left === ms; left = until - performance.now())
    await sleepOnce(Math.min(Math.max(left, 0), LONGEST_TIMER_MS), signal);
}

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
