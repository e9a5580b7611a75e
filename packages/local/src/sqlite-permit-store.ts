import { decide, LEASE_MS } from "@agentcompass/core/limit";
import type { Clock, Log, PermitAsk, PermitDecision, PermitStore } from "@agentcompass/core/port";
import { isHolderAlive } from "./holder.ts";
import { PERMIT_SCHEMA, PermitTable } from "./permit-table.ts";
import type { SqliteDatabase } from "./sqlite.ts";
import { databaseError, openDatabase } from "./sqlite.ts";
import { TransactionBatch } from "./transaction-batch.ts";

export type PermitStoreOptions = {
  /** The state file that every process of a user shares, or `:memory:`. */
  readonly path: string;
  readonly clock: Clock;
  /** This process, see `createHolder`; the store renews what it holds, and gives it back on close. */
  readonly holder: string;
  /** Default: asks the operating system, for holders of this machine. */
  readonly isAlive?: (holder: string) => boolean;
  /** Milliseconds, default 30,000; renewed at a third of it. */
  readonly leaseMs?: number;
  readonly log?: Log | undefined;
};

/**
 * Permits of all processes of a user in one SQLite file. Throws `store.unwritable` when the file cannot be
 * written.
 */
export async function openPermitStore(options: PermitStoreOptions): Promise<PermitStore> {
  const database = await openDatabase({ path: options.path, schema: PERMIT_SCHEMA, log: options.log });
  return new SqlitePermitStore(database, options);
}

class SqlitePermitStore implements PermitStore {
  readonly #database: SqliteDatabase;
  readonly #table: PermitTable;
  readonly #options: PermitStoreOptions;
  readonly #leaseMs: number;
  readonly #isAlive: (holder: string) => boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #batch = new TransactionBatch((bodies) => this.#transact(bodies));
  #renewedAt: number;
  #isOpen = true;

  constructor(database: SqliteDatabase, options: PermitStoreOptions) {
    this.#database = database;
    this.#table = new PermitTable(database);
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#isAlive = options.isAlive ?? isHolderAlive;
    this.#renewedAt = options.clock.now();
    this.#timer = setInterval(() => this.#renewQuietly(), this.#leaseMs / 3);
    this.#timer.unref();
  }

  acquire(ask: PermitAsk): Promise<PermitDecision> {
    return this.#together((table) => {
      const now = this.#options.clock.now();
      // After a suspended laptop wakes, the first ask must not take this process's own leases for expired.
      if (now - this.#renewedAt > this.#leaseMs / 3) this.#renewOwn(table, now);
      const decision = this.#decide(table, ask, now);
      if (decision.kind === "granted" || !this.#reclaimDead(table)) return decision;
      return this.#decide(table, ask, now);
    });
  }

  release(leaseId: string): Promise<boolean> {
    return this.#together((table) => table.release(leaseId));
  }

  abandon(ticket: string): Promise<void> {
    return this.#together((table) => table.abandon(ticket));
  }

  async renew(holder: string): Promise<void> {
    this.#transact((table) => table.renew(holder, this.#options.clock.now() + this.#leaseMs));
  }

  async counts(): Promise<Readonly<Record<string, number>>> {
    return this.#transact((table) => {
      this.#reclaimDead(table);
      return table.counts(this.#options.clock.now());
    });
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#timer);
    this.#batch.run();
    try {
      this.#transact((table) => table.reclaim(this.#options.holder));
    } finally {
      this.#database.close();
    }
  }

  #decide(table: PermitTable, ask: PermitAsk, now: number): PermitDecision {
    let facts = table.facts(ask.ticket, now);
    if (facts.hasExpired) {
      table.expire(now);
      facts = table.facts(ask.ticket, now);
    }
    if (facts.isGranted) return { kind: "granted", leaseId: ask.ticket };
    const hasWaiters = facts.waiters > 0;
    const verdict = decide(table.view(ask, hasWaiters), ask.limits, now);
    if (verdict.kind === "grant") {
      table.addLease(ask, now, now + this.#leaseMs);
      if (hasWaiters) table.abandon(ask.ticket);
      return { kind: "granted", leaseId: ask.ticket };
    }
    table.setWaiter(ask, now + this.#leaseMs);
    return verdict;
  }

  /** True when something was taken back. */
  #reclaimDead(table: PermitTable): boolean {
    const dead = table.holders().filter((holder) => holder !== this.#options.holder && !this.#isAlive(holder));
    for (const holder of dead) table.reclaim(holder);
    return dead.length > 0;
  }

  #renewOwn(table: PermitTable, now: number): void {
    this.#renewedAt = now;
    table.renew(this.#options.holder, now + this.#leaseMs);
  }

  /** A renewal that fails is made up for by the next one; the lease lasts three of them. */
  #renewQuietly(): void {
    try {
      this.#transact((table) => this.#renewOwn(table, this.#options.clock.now()));
    } catch (error) {
      const message = `could not renew permits in ${this.#options.path}: ${String(error)}`;
      this.#options.log?.({ level: "WARNING", source: "local", message });
    }
  }

  /** Asks and releases of one turn of the event loop make one transaction, in their order. */
  #together<T>(body: (table: PermitTable) => T): Promise<T> {
    return this.#batch.add(() => body(this.#table));
  }

  #transact<T>(body: (table: PermitTable) => T): T {
    return this.#run((table) => table.transact(() => body(table)));
  }

  #run<T>(body: (table: PermitTable) => T): T {
    try {
      return body(this.#table);
    } catch (error) {
      throw databaseError(error, this.#options.path);
    }
  }
}
