import type { PermitState } from "../src/limit/index.ts";
import {
  abandon,
  acquire,
  countLeases,
  EMPTY_PERMIT_STATE,
  holdersOf,
  reclaim,
  release,
  renew,
} from "../src/limit/index.ts";
import type { Clock, PermitAsk, PermitDecision, PermitStore } from "../src/port/index.ts";

export type MemoryPermitStoreOptions = {
  readonly clock: Clock;
  /** Default: never expires, since one process cannot outlive itself. */
  readonly leaseMs?: number;
  readonly isAlive?: (holder: string) => boolean;
};

/** The permit algebra over an object. */
export class MemoryPermitStore implements PermitStore {
  #state: PermitState = EMPTY_PERMIT_STATE;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #isAlive: (holder: string) => boolean;

  constructor(options: MemoryPermitStoreOptions) {
    this.#clock = options.clock;
    this.#leaseMs = options.leaseMs ?? Number.POSITIVE_INFINITY;
    this.#isAlive = options.isAlive ?? (() => true);
  }

  /** What it remembers, for assertions. */
  get state(): PermitState {
    return this.#state;
  }

  async acquire(ask: PermitAsk): Promise<PermitDecision> {
    this.#reclaimDead();
    const { state, decision } = acquire(this.#state, { ask, now: this.#clock.now(), leaseMs: this.#leaseMs });
    this.#state = state;
    return decision;
  }

  async release(leaseId: string): Promise<boolean> {
    const before = this.#state;
    this.#state = release(before, leaseId);
    return this.#state !== before;
  }

  async abandon(ticket: string): Promise<void> {
    this.#state = abandon(this.#state, ticket);
  }

  async renew(holder: string): Promise<void> {
    this.#state = renew(this.#state, holder, this.#clock.now() + this.#leaseMs);
  }

  async counts(): Promise<Readonly<Record<string, number>>> {
    this.#reclaimDead();
    return countLeases(this.#state, this.#clock.now());
  }

  async close(): Promise<void> {
    this.#state = EMPTY_PERMIT_STATE;
  }

  #reclaimDead(): void {
    for (const holder of holdersOf(this.#state)) {
      if (!this.#isAlive(holder)) this.#state = reclaim(this.#state, holder);
    }
  }
}
