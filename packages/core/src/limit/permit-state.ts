import type { LimitAsk, PermitAsk } from "../port/index.ts";

/** A granted ask: counts against each of its limits until released, expired or reclaimed. */
export type Lease = {
  readonly id: string;
  readonly holder: string;
  readonly limits: readonly string[];
  /** Epoch milliseconds; at this moment the lease counts no longer. */
  readonly expiresAt: number;
};

/** An ask that waits. Its sequence is its place in every line. */
export type Waiter = {
  readonly ticket: string;
  readonly holder: string;
  readonly limits: readonly LimitAsk[];
  readonly signature: string;
  readonly sequence: number;
  /** Epoch milliseconds; at this moment the waiter holds nobody back any more. */
  readonly expiresAt: number;
};

/**
 * Everything a permit store remembers. A limit's count is never stored: it is the number of live leases
 * that name it (I4).
 */
export type PermitState = {
  readonly nextSequence: number;
  readonly leases: readonly Lease[];
  readonly waiters: readonly Waiter[];
  /** Moment of the last grant of each paced limit. */
  readonly lastGrantAt: Readonly<Record<string, number>>;
};

export const EMPTY_PERMIT_STATE: PermitState = { nextSequence: 1, leases: [], waiters: [], lastGrantAt: {} };

/** A lease lives this long unless renewed; holders renew at a third of it. */
export const LEASE_MS = 30_000;

/**
 * Two asks with the same signature meet the same fate: the younger never gets through while the older
 * waits. So the oldest of each signature stands for all of them.
 */
export function askSignature(ask: Pick<PermitAsk, "limits">): string {
  return JSON.stringify(ask.limits.map((limit) => [limit.name, limit.capacity, limit.intervalMs]));
}
