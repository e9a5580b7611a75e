import type { Clock } from "../src/port/index.ts";

type Sleeper = { readonly at: number; readonly order: number; readonly resolve: () => void };

/** 2026-01-01T00:00:00Z, where a fake clock starts unless told otherwise. */
export const FAKE_EPOCH_MS = 1_767_225_600_000;

/** A clock that moves only when told to; sleepers wake in the order of their times. */
export class FakeClock implements Clock {
  #now: number;
  #order = 0;
  readonly #startedAt: number;
  readonly #offsetMinutes: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(options: { readonly now?: number; readonly offsetMinutes?: number } = {}) {
    this.#now = options.now ?? FAKE_EPOCH_MS;
    this.#startedAt = this.#now;
    this.#offsetMinutes = options.offsetMinutes ?? 0;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#startedAt;
  }

  offsetMinutes(): number {
    return this.#offsetMinutes;
  }

  /** Sleepers that have not woken yet. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        at: this.#now + Math.max(ms, 0),
        order: this.#order++,
        resolve: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  /** Moves time on, waking each sleeper at its moment and letting what it starts run first. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#next(); next !== undefined && next.at <= until; next = this.#next()) {
      await this.#wake(next);
    }
    this.#now = until;
    await settle();
  }

  /**
   * Moves time on until nobody sleeps. Throws after `limitMs` (default one day), for then something waits
   * for ever by polling.
   */
  async runUntilIdle(options: { readonly limitMs?: number } = {}): Promise<void> {
    const until = this.#now + (options.limitMs ?? 86_400_000);
    await settle();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next.at > until)
        throw new Error(`fake clock: still ${this.sleeping} sleeping after the limit of runUntilIdle`);
      await this.#wake(next);
    }
  }

  /** Moves time on until the promise settles, and gives its outcome. */
  async runUntil<T>(promise: Promise<T>, options: { readonly limitMs?: number } = {}): Promise<T> {
    const until = this.#now + (options.limitMs ?? 86_400_000);
    let isSettled = false;
    const mark = (): void => {
      isSettled = true;
    };
    promise.then(mark, mark);
    await settle();
    while (!isSettled) {
      const next = this.#next();
      if (next !== undefined && next.at > until)
        throw new Error("fake clock: the promise did not settle within the limit");
      // Without a sleeper real work (a file, a process) is under way.
      await (next === undefined ? settle() : this.#wake(next));
    }
    return await promise;
  }

  async #wake(sleeper: Sleeper): Promise<void> {
    this.#sleepers.delete(sleeper);
    this.#now = Math.max(this.#now, sleeper.at);
    sleeper.resolve();
    await settle();
  }

  #next(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (first === undefined || sleeper.at < first.at || (sleeper.at === first.at && sleeper.order < first.order)) {
        first = sleeper;
      }
    }
    return first;
  }
}

/** Lets every promise that can go on without time do so. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
