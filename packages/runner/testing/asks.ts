import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import type { Benchmark, ConnectModel, Environment, HarnessRun } from "@agentcompass/core/plugin";
import type { LogRecord } from "@agentcompass/core/port";

type LoadAsk = Parameters<Benchmark["doLoad"]>[0];

/** An environment that only declares what it is; nothing can be opened in it. */
export function placeLike(overrides: Partial<Environment> = {}): Environment {
  return {
    id: "host_process",
    networkModes: ["public"],
    resourceFields: [],
    ownsFilesystem: false,
    doOpen: async () => {
      throw new Error("this environment cannot be opened");
    },
    ...overrides,
  };
}

/** What a benchmark is asked when it loads, with the records it logged. */
export function loadAsk(overrides: Partial<LoadAsk> = {}): LoadAsk & { readonly logged: LogRecord[] } {
  const logged: LogRecord[] = [];
  return {
    params: {},
    dataDir: "/nowhere",
    environment: placeLike(),
    openSession: () => Promise.reject(new Error("this test opens no session")),
    signal: new AbortController().signal,
    log: (record) => logged.push(record),
    logged,
    ...overrides,
  };
}

/** For evaluations that ask no model. */
export const noModel: ConnectModel = () => Promise.reject(new Error("this evaluation asks no model"));

export function answered(finalAnswer: unknown): HarnessRun {
  return { final_answer: finalAnswer, trajectory: null, issues: [], artifacts: {}, telemetry: {} };
}

/** A directory that goes with the block that uses it. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "agentcompass-test-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The error that some work must end with. */
export async function refusal(work: Promise<unknown>): Promise<AgentCompassError> {
  try {
    await work;
  } catch (error) {
    if (AgentCompassError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("expected a refusal, but it went well");
}
