import type { Clock } from "../port/index.ts";

/** Views are rewritten at most four times a second. */
export const VIEW_INTERVAL_MS = 250;

/** A view that grows with the number of tasks, and that nobody watches, is rewritten this seldom. */
export const LARGE_VIEW_INTERVAL_MS = 5_000;

export type Writer = {
  /** Asks for a write soon; many asks make one write. */
  touch(): void;
  /** Writes what is outstanding now and stops. Throws the first failure of any write. */
  finish(): Promise<void>;
};

/**
 * Coalesces writes of a derived view. The pause grows to twenty times what a write costs, so that a large view never takes
 * more than a twentieth of the time.
 */
export function createWriter(clock: Clock, write: () => Promise<void>, intervalMs = VIEW_INTERVAL_MS): Writer {
  const stop = new AbortController();
  let dirty = false;
  let failure: unknown;
  let pause = intervalMs;
  let running: Promise<void> | undefined;

  async function flush(): Promise<void> {
    dirty = false;
    const startedAt = clock.monotonic();
    try {
      await write();
    } catch (error) {
      failure ??= error;
    }
    pause = Math.max(intervalMs, 20 * (clock.monotonic() - startedAt));
  }

  async function loop(): Promise<void> {
    while (dirty && !stop.signal.aborted) {
      try {
        await clock.sleep(pause, stop.signal);
      } catch {
        break;
      }
      await flush();
    }
    running = undefined;
  }

  return {
    touch(): void {
      dirty = true;
      if (!stop.signal.aborted) running ??= loop();
    },
    async finish(): Promise<void> {
      stop.abort();
      await running;
      await flush();
      if (failure !== undefined) throw failure;
    },
  };
}
