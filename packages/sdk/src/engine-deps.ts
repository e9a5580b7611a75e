import { appendFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AgentCompassError, errorText } from "@agentcompass/core";
import type { EngineDeps } from "@agentcompass/core/engine";
import { isLogged } from "@agentcompass/core/engine";
import type { Catalog } from "@agentcompass/core/plugin";
import { type Log, type LogLevel, type LogRecord, makeDirectory } from "@agentcompass/core/port";
import type { ResolvedOrchestration } from "@agentcompass/core/spec";
import type { LocalPorts } from "@agentcompass/local";
import type { LaunchOptions } from "./options.ts";
import { VERSION } from "./version.ts";

export type OpenEngine = { readonly deps: EngineDeps; readonly close: () => Promise<void> };

/** The engine's dependencies on this machine: SQLite permits, folders, processes, models. */
export async function openEngine(
  orchestration: ResolvedOrchestration,
  catalog: Catalog,
  options: LaunchOptions,
): Promise<OpenEngine> {
  const { createModel } = await import("@agentcompass/runner/model");
  const onLog = await createLog(orchestration, options);
  const ports = await openPorts(onLog);
  const deps: EngineDeps = {
    catalog,
    clock: ports.clock,
    ids: ports.ids,
    random: ports.random,
    permits: ports.permits,
    holder: ports.holder,
    results: (resultsDir) => ports.blobs(resolve(resultsDir)),
    dataDirectory: (dataDir) => resolve(dataDir),
    createModel: async (ask) => createModel(ask.protocol, ask.spec, { runDirectory: ask.runDirectory }),
    env: process.env,
    version: VERSION,
    onEvent: guarded(options.onProgress, onLog),
    onRequestFinished: guarded(options.onRequestFinished, onLog),
    onLog,
  };
  return { deps, close: () => ports.close() };
}

/** Permits in the user's state file; in memory, with a warning, where that file cannot be written. */
async function openPorts(log: Log): Promise<LocalPorts> {
  const { createLocalPorts, defaultStatePath } = await import("@agentcompass/local");
  const statePath = defaultStatePath(process.env);
  try {
    return await createLocalPorts({ statePath, log });
  } catch (error) {
    if (!AgentCompassError.isInstance(error) || error.code !== "store.unwritable") throw error;
    const message = `${error.message}; limits hold only within this process`;
    log({ level: "WARNING", source: "limit", message });
    return createLocalPorts({ statePath: ":memory:", log });
  }
}

/** A callback whose exceptions are logged and go no further. */
export function guarded<T>(callback: ((value: T) => void) | undefined, log: Log): (value: T) => void {
  if (!callback) return () => {};
  return (value) => {
    try {
      callback(value);
    } catch (error) {
      log({ level: "WARNING", source: "callback", message: `a callback threw: ${errorText(error)}` });
    }
  };
}

/** Sends records that pass `log_level` to the caller and those that pass `file_log_level` to `log_file`. */
async function createLog(orchestration: ResolvedOrchestration, options: LaunchOptions): Promise<Log> {
  const { log_level, file_log_level, log_file } = orchestration.runtime;
  const say = (message: string): void => toCaller({ level: "WARNING", source: "log", message });
  const write = log_file === null ? undefined : await openLogFile(resolve(log_file), say);
  const toCaller = guarded(options.onLog, (record) => write?.(record));
  return (record: LogRecord) => {
    if (write && isLogged(record.level, file_log_level as LogLevel)) write(record);
    if (isLogged(record.level, log_level as LogLevel)) toCaller(record);
  };
}

/** A log that can no longer be written is said once and given up; the run goes on, and its own run.log is whole. */
async function openLogFile(path: string, say: (message: string) => void): Promise<Log> {
  try {
    await makeDirectory(dirname(path), (part) => mkdir(part));
    appendFileSync(path, "");
  } catch (error) {
    throw new AgentCompassError("store.unwritable", `runtime.log_file: ${path} cannot be written: ${errorText(error)}`);
  }
  let isBroken = false;
  return ({ level, source, message }) => {
    if (isBroken) return;
    try {
      appendFileSync(path, `${new Date().toISOString()} ${level.padEnd(8)} ${source} ${message}\n`);
    } catch (error) {
      isBroken = true;
      say(`runtime.log_file: ${path} can no longer be written, the run goes on without it: ${errorText(error)}`);
    }
  };
}
