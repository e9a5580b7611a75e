import type { PermitView } from "@agentcompass/core/limit";
import { askSignature } from "@agentcompass/core/limit";
import type { LimitAsk, PermitAsk } from "@agentcompass/core/port";
import type { SqliteDatabase } from "./sqlite.ts";

/** A lease has one row for each limit, or one with an empty name when it names none. */
export const PERMIT_SCHEMA = `
  CREATE TABLE IF NOT EXISTS lease (
    id TEXT, name TEXT, holder TEXT NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (id, name)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS lease_by_name ON lease (name);
  CREATE TABLE IF NOT EXISTS waiter (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, ticket TEXT NOT NULL UNIQUE, holder TEXT NOT NULL,
    signature TEXT NOT NULL, limits TEXT NOT NULL, expires_at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS pace (name TEXT PRIMARY KEY, last_grant_at INTEGER NOT NULL) WITHOUT ROWID;
`;

/** How an ask stands before it is decided. */
export type AskFacts = { readonly hasExpired: number; readonly isGranted: number; readonly waiters: number };

function prepareStatements(database: SqliteDatabase) {
  return {
    begin: database.prepare("BEGIN IMMEDIATE"),
    commit: database.prepare("COMMIT"),
    rollback: database.prepare("ROLLBACK"),
    facts: database.prepare(`SELECT
      EXISTS (SELECT 1 FROM lease WHERE expires_at <= ?1) OR EXISTS (SELECT 1 FROM waiter WHERE expires_at <= ?1) AS hasExpired,
      EXISTS (SELECT 1 FROM lease WHERE id = ?2) AS isGranted,
      (SELECT count(*) FROM waiter) AS waiters`),
    counts: database.prepare("SELECT name, count(*) AS used FROM lease WHERE expires_at > ? GROUP BY name"),
    countsOf: database.prepare(
      "SELECT name, count(*) AS used FROM lease WHERE name IN (SELECT value FROM json_each(?)) GROUP BY name",
    ),
    paces: database.prepare("SELECT name, last_grant_at AS at FROM pace"),
    sequence: database.prepare("SELECT sequence FROM waiter WHERE ticket = ?"),
    older: database.prepare(
      "SELECT limits, min(sequence) AS sequence FROM waiter WHERE sequence < ? GROUP BY signature ORDER BY sequence",
    ),
    holders: database.prepare("SELECT holder FROM lease UNION SELECT holder FROM waiter"),
    addLease: database.prepare("INSERT OR IGNORE INTO lease SELECT ?1, value, ?2, ?3 FROM json_each(?4)"),
    setPace: database.prepare(
      "INSERT INTO pace VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET last_grant_at = excluded.last_grant_at",
    ),
    setWaiter:
      database.prepare(`INSERT INTO waiter (ticket, holder, signature, limits, expires_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (ticket) DO UPDATE SET holder = excluded.holder, signature = excluded.signature,
        limits = excluded.limits, expires_at = excluded.expires_at`),
    release: database.prepare("DELETE FROM lease WHERE id = ?"),
    abandon: database.prepare("DELETE FROM waiter WHERE ticket = ?"),
    renewLeases: database.prepare("UPDATE lease SET expires_at = ?2 WHERE holder = ?1"),
    renewWaiters: database.prepare("UPDATE waiter SET expires_at = ?2 WHERE holder = ?1"),
    expireLeases: database.prepare("DELETE FROM lease WHERE expires_at <= ?"),
    expireWaiters: database.prepare("DELETE FROM waiter WHERE expires_at <= ?"),
    reclaimLeases: database.prepare("DELETE FROM lease WHERE holder = ?"),
    reclaimWaiters: database.prepare("DELETE FROM waiter WHERE holder = ?"),
  };
}

function namesOf(limits: readonly LimitAsk[]): string {
  return JSON.stringify(limits.length === 0 ? [""] : limits.map(({ name }) => name));
}

/** The rows of leases, waiters and paces. Except for single statements, call it inside `transact`. */
export class PermitTable {
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(database: SqliteDatabase) {
    this.#sql = prepareStatements(database);
  }

  /** Runs one transaction that no other process interrupts. */
  transact<T>(body: () => T): T {
    this.#sql.begin.run();
    try {
      const result = body();
      this.#sql.commit.run();
      return result;
    } catch (error) {
      this.#sql.rollback.run();
      throw error;
    }
  }

  facts(ticket: string, now: number): AskFacts {
    return this.#sql.facts.get(now, ticket) as AskFacts;
  }

  /** What a decision needs; without waiters only the asked limits are read. */
  view(ask: PermitAsk, hasWaiters: boolean): PermitView {
    const rows = hasWaiters ? this.#sql.counts.all(0) : this.#sql.countsOf.all(namesOf(ask.limits));
    const used = new Map((rows as CountRow[]).map((row) => [row.name, row.used]));
    const isPaced = hasWaiters || ask.limits.some((limit) => limit.intervalMs > 0);
    const paces = (isPaced ? this.#sql.paces.all() : []) as { name: string; at: number }[];
    const last = new Map(paces.map((row) => [row.name, row.at]));
    return {
      used: (limit) => used.get(limit) ?? 0,
      lastGrantAt: (limit) => last.get(limit),
      older: hasWaiters ? this.#older(ask.ticket) : [],
    };
  }

  addLease(ask: PermitAsk, now: number, expiresAt: number): void {
    this.#sql.addLease.run(ask.ticket, ask.holder, expiresAt, namesOf(ask.limits));
    for (const limit of ask.limits) if (limit.intervalMs > 0) this.#sql.setPace.run(limit.name, now);
  }

  setWaiter(ask: PermitAsk, expiresAt: number): void {
    this.#sql.setWaiter.run(ask.ticket, ask.holder, askSignature(ask), JSON.stringify(ask.limits), expiresAt);
  }

  release(leaseId: string): boolean {
    return this.#sql.release.run(leaseId).changes > 0;
  }

  abandon(ticket: string): void {
    this.#sql.abandon.run(ticket);
  }

  renew(holder: string, expiresAt: number): void {
    this.#sql.renewLeases.run(holder, expiresAt);
    this.#sql.renewWaiters.run(holder, expiresAt);
  }

  expire(now: number): void {
    this.#sql.expireLeases.run(now);
    this.#sql.expireWaiters.run(now);
  }

  reclaim(holder: string): void {
    this.#sql.reclaimLeases.run(holder);
    this.#sql.reclaimWaiters.run(holder);
  }

  holders(): string[] {
    return (this.#sql.holders.all() as { holder: string }[]).map((row) => row.holder);
  }

  counts(now: number): Record<string, number> {
    const rows = (this.#sql.counts.all(now) as CountRow[]).filter((row) => row.name !== "");
    return Object.fromEntries(rows.map((row) => [row.name, row.used]));
  }

  #older(ticket: string): { limits: LimitAsk[] }[] {
    const own = this.#sql.sequence.get(ticket) as { sequence: number } | undefined;
    const rows = this.#sql.older.all(own?.sequence ?? Number.MAX_SAFE_INTEGER) as { limits: string }[];
    return rows.map((row) => ({ limits: JSON.parse(row.limits) as LimitAsk[] }));
  }
}

type CountRow = { readonly name: string; readonly used: number };
