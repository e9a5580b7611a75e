/** Writes that go on while something runs: whoever runs does not wait for the disk, and is stopped when it fails. */
export type WriteBehind = {
  /** Starts a write when the earlier ones have ended, in the order given. */
  add(write: () => Promise<void>): void;
  /** Aborts with the outer signal, and with the error of a write that failed. */
  readonly signal: AbortSignal;
  /** Resolves when every write has ended, however. */
  settled(): Promise<void>;
  /** Resolves when every write has succeeded; throws the first failure. */
  done(): Promise<void>;
};

export function createWriteBehind(outer: AbortSignal): WriteBehind {
  const failing = new AbortController();
  let last: Promise<void> = Promise.resolve();
  return {
    signal: AbortSignal.any([outer, failing.signal]),
    add(write): void {
      last = last.then(write);
      last.catch((error: unknown) => failing.abort(error));
    },
    settled: () => last.catch(() => undefined),
    done: () => last,
  };
}
