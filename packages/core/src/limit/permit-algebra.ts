import type { PermitAsk, PermitDecision } from "../port/index.ts";
import { decide } from "./decide.ts";
import type { Lease, PermitState, Waiter } from "./permit-state.ts";
import { askSignature } from "./permit-state.ts";

export type Acquired = { readonly state: PermitState; readonly decision: PermitDecision };
export type AcquireOptions = { readonly ask: PermitAsk; readonly now: number; readonly leaseMs: number };

/**
 * Decides one ask: every limit of it or none. A ticket that is already granted is granted again (the same
 * lease); one that waits keeps its place.
 */
export function acquire(before: PermitState, options: AcquireOptions): Acquired {
  const { ask, now, leaseMs } = options;
  const state = expire(before, now);
  const expiresAt = now + leaseMs;
  if (state.leases.some((lease) => lease.id === ask.ticket)) {
    return { state, decision: { kind: "granted", leaseId: ask.ticket } };
  }
  const sequence = state.waiters.find((waiter) => waiter.ticket === ask.ticket)?.sequence ?? state.nextSequence;
  const verdict = decide(viewOf(state, sequence), ask.limits, now);
  if (verdict.kind !== "grant") {
    const { ticket, holder, limits } = ask;
    const waiter = { ticket, holder, limits, signature: askSignature(ask), sequence, expiresAt };
    return { state: withWaiter(state, waiter), decision: verdict };
  }
  const lease = { id: ask.ticket, holder: ask.holder, limits: ask.limits.map(({ name }) => name), expiresAt };
  return { state: withLease(state, lease, ask, now), decision: { kind: "granted", leaseId: lease.id } };
}

/** Gives a lease back; a lease that is not there leaves the state as it was. */
export function release(state: PermitState, leaseId: string): PermitState {
  if (!state.leases.some((lease) => lease.id === leaseId)) return state;
  return { ...state, leases: state.leases.filter((lease) => lease.id !== leaseId) };
}

/** Takes a waiting ticket out of every line. */
export function abandon(state: PermitState, ticket: string): PermitState {
  return { ...state, waiters: state.waiters.filter((waiter) => waiter.ticket !== ticket) };
}

/** Extends what a holder has. A lease that expired unnoticed lives again: no decision was made without it. */
export function renew(state: PermitState, holder: string, expiresAt: number): PermitState {
  const extend = <T extends Lease | Waiter>(entry: T): T => (entry.holder === holder ? { ...entry, expiresAt } : entry);
  return { ...state, leases: state.leases.map(extend), waiters: state.waiters.map(extend) };
}

/** Drops the leases and waiters whose expiry has come. */
export function expire(state: PermitState, now: number): PermitState {
  const isLive = (entry: Lease | Waiter): boolean => entry.expiresAt > now;
  if (state.leases.every(isLive) && state.waiters.every(isLive)) return state;
  return { ...state, leases: state.leases.filter(isLive), waiters: state.waiters.filter(isLive) };
}

/** Takes back everything of a holder that is dead. */
export function reclaim(state: PermitState, holder: string): PermitState {
  const isKept = (entry: Lease | Waiter): boolean => entry.holder !== holder;
  return { ...state, leases: state.leases.filter(isKept), waiters: state.waiters.filter(isKept) };
}

/** Live leases by limit; limits without one are absent. */
export function countLeases(state: PermitState, now: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const lease of expire(state, now).leases) {
    for (const limit of lease.limits) counts[limit] = (counts[limit] ?? 0) + 1;
  }
  return counts;
}

/** Every holder that has a lease or a waiting ticket. */
export function holdersOf(state: PermitState): string[] {
  return [...new Set([...state.leases, ...state.waiters].map((entry) => entry.holder))];
}

function viewOf(state: PermitState, sequence: number): Parameters<typeof decide>[0] {
  return {
    used: (limit) => state.leases.filter((lease) => lease.limits.includes(limit)).length,
    lastGrantAt: (limit) => state.lastGrantAt[limit],
    older: firstOfEach(state.waiters.filter((waiter) => waiter.sequence < sequence)),
  };
}

function firstOfEach(waiters: readonly Waiter[]): Waiter[] {
  const firsts = new Map<string, Waiter>();
  for (const waiter of waiters) if (!firsts.has(waiter.signature)) firsts.set(waiter.signature, waiter);
  return [...firsts.values()];
}

/** Waiters stay sorted: a new one has the highest sequence, a known one is replaced in place. */
function withWaiter(state: PermitState, waiter: Waiter): PermitState {
  const { sequence } = waiter;
  if (sequence < state.nextSequence) {
    return { ...state, waiters: state.waiters.map((other) => (other.sequence === sequence ? waiter : other)) };
  }
  return { ...state, nextSequence: sequence + 1, waiters: [...state.waiters, waiter] };
}

function withLease(state: PermitState, lease: Lease, ask: PermitAsk, now: number): PermitState {
  const lastGrantAt = { ...state.lastGrantAt };
  for (const limit of ask.limits) if (limit.intervalMs > 0) lastGrantAt[limit.name] = now;
  return { ...abandon(state, ask.ticket), leases: [...state.leases, lease], lastGrantAt };
}
