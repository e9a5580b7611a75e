import type { Clock } from "../port/clock.ts";
import { StageTimeout } from "./grade.ts";

export type StageLimit = {
  readonly what: string;
  /** Null is no limit. */
  readonly seconds: number | null;
  /** How the seconds came about and which option changes them; part of the message. */
  readonly source: string;
  /** How long an overdue stage may take to notice its signal before it is left behind. */
  readonly graceMs: number;
};

/**
 * Runs one stage under its time. When the time is over the stage's signal aborts with StageTimeout, which is also what is
 * thrown; when the outer signal aborts, the stage's does too and the outer reason is thrown.
 */
export async function runStage<T>(
  limit: StageLimit,
  clock: Clock,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const timer = new AbortController();
  const stop = (): void => controller.abort(outer.reason);
  outer.addEventListener("abort", stop, { once: true });
  const overdue = expire(limit, clock, controller, timer.signal);
  const running = work(controller.signal);
  try {
    return await Promise.race([running, overdue, aborted(controller.signal)]);
  } catch (error) {
    await settled(running, clock, limit.graceMs, timer.signal);
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    outer.removeEventListener("abort", stop);
    timer.abort(ENDED);
  }
}

/** Without a reason of its own, an abort makes an error with a stack: for every stage of every attempt. */
const ENDED = new Error("the stage has ended");

async function expire(
  limit: StageLimit,
  clock: Clock,
  controller: AbortController,
  timer: AbortSignal,
): Promise<never> {
  if (limit.seconds !== null) {
    try {
      await clock.sleep(limit.seconds * 1000, timer);
      controller.abort(new StageTimeout(limit.what, limit.seconds, limit.source));
    } catch {
      // The stage ended first and cancelled its timer.
    }
  }
  return new Promise<never>(() => {});
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Waits until the work has ended, however, but not longer than the grace. */
async function settled(work: Promise<unknown>, clock: Clock, graceMs: number, timer: AbortSignal): Promise<void> {
  const grace = clock.sleep(graceMs, timer).catch(() => {});
  await Promise.race([work.then(ignore, ignore), grace]);
}

function ignore(): void {}
