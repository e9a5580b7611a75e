import { mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AgentCompassError, errorText } from "@agentcompass/core";
import { ancestorsOf, type Log } from "@agentcompass/core/port";
import { systemClock } from "./clock.ts";
import { systemCode, writeError } from "./file-error.ts";

export type SqliteValue = string | number | null;

export type SqliteStatement = {
  run(...values: SqliteValue[]): { readonly changes: number };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
};

export type SqliteDatabase = {
  exec(text: string): unknown;
  pragma(text: string): unknown;
  prepare(text: string): SqliteStatement;
  close(): unknown;
};

export type OpenDatabaseOptions = {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** Creates what is missing; run at each open, with the database locked. */
  readonly schema: string;
  readonly log?: Log | undefined;
};

const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 10;

/**
 * Opens a database that several processes share (write-ahead log, busy timeout). A corrupt file is moved
 * aside with a warning and a new one made. Throws `store.unwritable` and `store.full`.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<SqliteDatabase> {
  const { default: Database } = await import("libsql");
  const open = (): SqliteDatabase => new Database(options.path) as unknown as SqliteDatabase;
  if (options.path === ":memory:") return prepared(open(), options);
  makeDirectory(options.path);
  const patience = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    const inode = inodeOf(options.path);
    try {
      return prepared(open(), options);
    } catch (error) {
      const isBusy = systemCode(error)?.startsWith("SQLITE_BUSY") === true;
      if (isCorrupt(error)) moveAside(options, inode);
      else if (!isBusy || performance.now() > patience) throw databaseError(error, options.path);
      else await systemClock.sleep(BUSY_RETRY_MS);
    }
  }
}

/** Says for people why the database failed; errors of other kinds stay as they are. */
export function databaseError(error: unknown, path: string): unknown {
  const code = systemCode(error) ?? "";
  const options = { data: { path, reason: code }, cause: error };
  if (code.startsWith("SQLITE_FULL")) {
    return new AgentCompassError("store.full", `the disk is full: could not write ${path}; free some space`, options);
  }
  const isUnwritable =
    /^SQLITE_(READONLY|CANTOPEN|PERM|BUSY|IOERR|NOTADB|CORRUPT)/.test(code) ||
    errorText(error).includes("ConnectionFailed");
  if (!isUnwritable) return error;
  const reason = reasonText(code, errorText(error));
  const message = `cannot write the state file ${path} (${reason}); set AGENTCOMPASS_STATE_DIR to a directory that can be written`;
  return new AgentCompassError("store.unwritable", message, options);
}

function reasonText(code: string, text: string): string {
  if (code.startsWith("SQLITE_BUSY")) return "another process keeps it locked";
  return text.includes("ConnectionFailed") ? "it cannot be opened" : text;
}

function prepared(database: SqliteDatabase, { schema }: OpenDatabaseOptions): SqliteDatabase {
  try {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.pragma("journal_mode = WAL");
    // A crash of the machine ends every holder as well, so the last commits need not survive it.
    database.pragma("synchronous = NORMAL");
    database.exec("BEGIN IMMEDIATE");
    database.exec(schema);
    database.exec("COMMIT");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeDirectory(path: string): void {
  try {
    for (const part of ancestorsOf(resolve(dirname(path)))) makeOne(part);
  } catch (error) {
    throw writeError(error, dirname(path));
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(systemCode(error) ?? "");
}

/** Another process may have done it meanwhile, then the file at the path is another one. */
function moveAside({ path, log }: OpenDatabaseOptions, inode: number | undefined): void {
  if (inodeOf(path) !== inode) return;
  const aside = `${path}.corrupt-${Date.now()}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    try {
      renameSync(path + suffix, aside + suffix);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw writeError(error, path + suffix);
    }
  }
  log?.({
    level: "WARNING",
    source: "local",
    message: `the state file ${path} was corrupt: moved to ${aside}, made a new one`,
  });
}

/** Undefined when there is nothing, or nothing we may look at: then opening says so. */
function inodeOf(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}
