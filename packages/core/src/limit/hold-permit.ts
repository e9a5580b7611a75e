import type { Clock, PermitAsk, PermitStore, WaitReason } from "../port/index.ts";
import { WaitingLine } from "./waiting-line.ts";

export type HoldOptions = {
  readonly clock: Clock;
  /** Aborting gives the ticket up and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told why the ask waits, at first and at each change. */
  readonly onWait?: ((why: WaitReason) => void) | undefined;
};

export type HeldPermit = {
  readonly leaseId: string;
  /** Milliseconds between the ask and its grant, to be recorded apart from working time. */
  readonly waitedMs: number;
  /** Gives the permit back and wakes who waits in this process; a second call does nothing. */
  readonly release: () => Promise<void>;
};

const lines = new WeakMap<PermitStore, WaitingLine>();

/**
 * Waits until every limit of the ask is granted. Releases of this process wake the waiting at once; those
 * of other processes are seen within 100 ms; a pace is awaited to its due time.
 */
export async function holdPermit(store: PermitStore, ask: PermitAsk, options: HoldOptions): Promise<HeldPermit> {
  const line = lineOf(store, options.clock);
  const startedAt = options.clock.monotonic();
  const leaseId = await line.enter(ask, options);
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    await store.release(leaseId);
    line.wake();
  };
  return {
    leaseId,
    waitedMs: options.clock.monotonic() - startedAt,
    release: () => {
      released ??= release();
      return released;
    },
  };
}

function lineOf(store: PermitStore, clock: Clock): WaitingLine {
  const known = lines.get(store);
  if (known !== undefined) return known;
  const line = new WaitingLine(store, clock);
  lines.set(store, line);
  return line;
}
