import type { Clock, PermitAsk, PermitDecision, PermitStore, WaitReason } from "../port/index.ts";
import { askSignature } from "./permit-state.ts";

const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 100;
const POLL_GROWTH = 1.5;

type Waiting = {
  readonly ask: PermitAsk;
  readonly signature: string;
  readonly onWait: ((why: WaitReason) => void) | undefined;
  readonly settle: (outcome: { leaseId: string } | { error: unknown }) => void;
  /** Moment before which asking again is useless; undefined waits for a release. */
  at: number | undefined;
  why: WaitReason;
  isOver: boolean;
};

type LineOptions = {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((why: WaitReason) => void) | undefined;
};

/**
 * The asks of this process that wait on one store. One loop asks for all of them: at once after a release
 * or a grant of this process, when a pace comes due, and by polling for what other processes release. Of
 * asks with the same signature only the oldest is asked again, so that a thousand waiters cost one look.
 */
export class WaitingLine {
  readonly #store: PermitStore;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  #isPumping = false;
  #sleepsUntil = 0;
  #isWoken = false;
  #interrupt: AbortController | undefined;

  constructor(store: PermitStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Resolves with the lease id once granted; rejects with the signal's reason when it aborts first. */
  async enter(ask: PermitAsk, { signal, onWait }: LineOptions): Promise<string> {
    signal?.throwIfAborted();
    const decision = await this.#store.acquire(ask);
    if (signal?.aborted) {
      await this.#giveUp(ask.ticket);
      throw signal.reason;
    }
    if (decision.kind === "granted") return decision.leaseId;
    return await this.#wait(ask, decision, { signal, onWait });
  }

  /** Looks again now: something was released here. */
  wake(): void {
    this.#isWoken = true;
    this.#interrupt?.abort();
  }

  async #wait(
    ask: PermitAsk,
    decision: Exclude<PermitDecision, { kind: "granted" }>,
    { signal, onWait }: Omit<LineOptions, "clock">,
  ): Promise<string> {
    onWait?.(decision.why);
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<string>((resolve, reject) => {
        const waiting: Waiting = {
          ask,
          signature: askSignature(ask),
          onWait,
          settle: (outcome) => ("error" in outcome ? reject(outcome.error) : resolve(outcome.leaseId)),
          at: decision.kind === "wait-until" ? decision.at : undefined,
          why: decision.why,
          isOver: false,
        };
        onAbort = () => {
          this.#leave(waiting);
          this.#giveUp(ask.ticket).then(() => reject(signal?.reason), reject);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        this.#waiting.add(waiting);
        this.#pump();
      });
    } finally {
      if (onAbort) signal?.removeEventListener("abort", onAbort);
    }
  }

  /** The ticket may have been granted meanwhile, so the lease goes back too. */
  async #giveUp(ticket: string): Promise<void> {
    await this.#store.abandon(ticket);
    await this.#store.release(ticket);
    this.wake();
  }

  #leave(waiting: Waiting): void {
    waiting.isOver = true;
    this.#waiting.delete(waiting);
    this.wake();
  }

  #pump(): void {
    if (!this.#isPumping) {
      this.#isPumping = true;
      void this.#run();
      return;
    }
    const next = Math.min(...[...this.#waiting].map(({ at }) => at ?? Number.POSITIVE_INFINITY));
    if (next < this.#sleepsUntil) this.#interrupt?.abort();
  }

  async #run(): Promise<void> {
    let pollMs = FIRST_POLL_MS;
    while (this.#waiting.size > 0) {
      const wasWoken = await this.#sleep(pollMs);
      const hasGranted = await this.#look(wasWoken);
      pollMs = wasWoken || hasGranted ? FIRST_POLL_MS : Math.min(pollMs * POLL_GROWTH, LAST_POLL_MS);
    }
    this.#isPumping = false;
  }

  /** True when a release or a departure ended the sleep. */
  async #sleep(pollMs: number): Promise<boolean> {
    if (!this.#isWoken) {
      const now = this.#clock.now();
      this.#sleepsUntil = Math.min(...[...this.#waiting].map(({ at }) => Math.max(at ?? now + pollMs, now)));
      this.#interrupt = new AbortController();
      await this.#clock.sleep(this.#sleepsUntil - now, this.#interrupt.signal).catch(() => undefined);
      this.#interrupt = undefined;
    }
    const wasWoken = this.#isWoken;
    this.#isWoken = false;
    return wasWoken;
  }

  async #look(wasWoken: boolean): Promise<boolean> {
    const refused = new Set<string>();
    let hasGranted = false;
    for (const waiting of [...this.#waiting]) {
      const isEarly = !wasWoken && waiting.at !== undefined && waiting.at > this.#clock.now();
      if (waiting.isOver || refused.has(waiting.signature)) continue;
      if (!isEarly && (await this.#ask(waiting))) hasGranted = true;
      else refused.add(waiting.signature);
    }
    return hasGranted;
  }

  async #ask(waiting: Waiting): Promise<boolean> {
    try {
      const decision = await this.#store.acquire(waiting.ask);
      if (waiting.isOver) {
        await this.#giveUp(waiting.ask.ticket);
        return true;
      }
      if (decision.kind !== "granted") {
        this.#keepWaiting(waiting, decision);
        return false;
      }
      this.#waiting.delete(waiting);
      waiting.settle({ leaseId: decision.leaseId });
    } catch (error) {
      this.#waiting.delete(waiting);
      waiting.settle({ error });
    }
    return true;
  }

  #keepWaiting(waiting: Waiting, decision: Exclude<PermitDecision, { kind: "granted" }>): void {
    waiting.at = decision.kind === "wait-until" ? decision.at : undefined;
    const { why } = decision;
    if (why.limit === waiting.why.limit && why.reason === waiting.why.reason) return;
    waiting.why = why;
    waiting.onWait?.(why);
  }
}
