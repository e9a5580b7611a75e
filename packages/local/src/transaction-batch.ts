type Waiting = { readonly body: () => unknown; readonly settle: (outcome: Outcome) => void };
type Transact = (bodies: () => Outcome[]) => Outcome[];
type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Runs what is asked for in one turn of the event loop in one transaction, in order: a transaction costs many times what is
 * done in it. When one body throws, nothing of the transaction stands, and each body gets a transaction of its own.
 */
export class TransactionBatch {
  readonly #transact: Transact;
  #waiting: Waiting[] = [];

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  /** Resolves with what the body returns once its transaction is committed. */
  add<T>(body: () => T): Promise<T> {
    if (this.#waiting.length === 0) setImmediate(() => this.run());
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome): void => {
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.value as T);
      };
      this.#waiting.push({ body, settle });
    });
  }

  /** Runs what waits now. */
  run(): void {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    const outcomes = this.#attempt(batch) ?? batch.map((one) => this.#alone(one));
    for (const [index, outcome] of outcomes.entries()) batch[index]?.settle(outcome);
  }

  /** Undefined when nothing of it stands. */
  #attempt(batch: readonly Waiting[]): Outcome[] | undefined {
    try {
      return this.#transact(() => batch.map(({ body }) => ({ value: body() })));
    } catch {
      // Which of them it was shows when each has its own transaction.
      return undefined;
    }
  }

  #alone({ body }: Waiting): Outcome {
    try {
      return this.#transact(() => [{ value: body() }])[0] ?? { value: undefined };
    } catch (error) {
      return { error };
    }
  }
}
