/**
 * The right to run, held as leases on named limits. One implementation holds for every process of a user
 * (local) or every runner of a stage (AWS).
 *
 * Contract (each sentence has a test with the same words in testing/permit-store-suite.ts):
 * - acquire takes every limit of an ask or none.
 * - a grant never lifts a limit above the capacity named in the ask.
 * - among asks that wait for one limit, the oldest live one is served first.
 * - a paced limit grants at most once per interval, with no burst.
 * - release is idempotent and never takes a count below zero.
 * - a lease that is not renewed before its expiry no longer counts.
 * - a lease whose holder is known to be dead is taken back at once.
 */
export interface PermitStore {
  /** Decides one ask now. Asking again with the same ticket keeps its place in the queue. */
  acquire(ask: PermitAsk): Promise<PermitDecision>;
  /** Gives a lease back; returns false when it was not there. */
  release(leaseId: string): Promise<boolean>;
  /** Gives up a waiting ticket. */
  abandon(ticket: string): Promise<void>;
  /** Extends leases and waiting tickets of one holder; called at a third of the lease time. */
  renew(holder: string): Promise<void>;
  /** Live leases by limit, for status and tests. */
  counts(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export type LimitAsk = {
  /** Full name, for instance `provider:docker` or `orchestration:<id>`. */
  readonly name: string;
  /** Leases allowed at once; `null` is unlimited (the lease is still counted). */
  readonly capacity: number | null;
  /** Least milliseconds between two grants; 0 is no pacing. */
  readonly intervalMs: number;
};

export type PermitAsk = {
  /** Unique per ask; the same text while the ask waits. Becomes the lease id when granted. */
  readonly ticket: string;
  /** The process or runner that holds it. */
  readonly holder: string;
  readonly limits: readonly LimitAsk[];
};

/** Why a task waits, shown in status and progress. */
export type WaitReason = { readonly limit: string; readonly reason: "full" | "paced" | "queued" };

export type PermitDecision =
  | { readonly kind: "granted"; readonly leaseId: string }
  | { readonly kind: "wait-until"; readonly at: number; readonly why: WaitReason }
  | { readonly kind: "wait-for-release"; readonly why: WaitReason };
