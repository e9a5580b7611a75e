import type { ProgressEvent } from "@agentcompass/core/event";
import { createEvent, type EventFacts } from "@agentcompass/core/event";
import type { Host, StopSignal } from "../src/host.ts";
import type { OrchestrationResult, RequestOutcome, Sdk } from "../src/sdk-surface.ts";

export type FakeHost = Host & {
  readonly out: () => string;
  readonly err: () => string;
  /** Sends a signal to whoever listens. */
  readonly send: (signal: StopSignal) => void;
  /** How many listen to signals. */
  readonly listening: () => number;
  /** Runs every repeated callback once, at a later time. */
  readonly tick: (seconds: number) => void;
  readonly exits: number[];
};

export type FakeHostFacts = {
  readonly sdk?: Partial<Sdk>;
  readonly isTty?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
};

/** A host in memory: streams are texts, time stands still until `tick`. */
export function fakeHost(facts: FakeHostFacts = {}): FakeHost {
  const out: string[] = [];
  const err: string[] = [];
  const listeners = new Set<(signal: StopSignal) => void>();
  const repeated = new Set<() => void>();
  const exits: number[] = [];
  let now = 0;
  return {
    sdk: async () => fakeSdk(facts.sdk ?? {}),
    stdout: { write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text) },
    env: facts.env ?? {},
    isTty: facts.isTty ?? false,
    terminalSize: () => ({ columns: facts.columns ?? 80, rows: facts.rows ?? 24 }),
    now: () => new Date(now),
    every(_milliseconds, callback) {
      repeated.add(callback);
      return () => void repeated.delete(callback);
    },
    onStopSignal(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    exitNow: (code) => void exits.push(code),
    out: () => out.join(""),
    err: () => err.join(""),
    send(signal) {
      for (const listener of [...listeners]) listener(signal);
    },
    listening: () => listeners.size,
    tick(seconds) {
      now += seconds * 1000;
      for (const callback of repeated) callback();
    },
    exits,
  };
}

function fakeSdk(given: Partial<Sdk>): Sdk {
  return new Proxy({} as Sdk, {
    get(_target, name: string | symbol) {
      if (name === "then") return undefined;
      const method = given[name as keyof Sdk];
      if (!method) throw new Error(`the fake SDK has no ${String(name)}`);
      return method;
    },
  });
}

/** An event of the request `name`, `at` seconds after the epoch. */
export function eventOf(facts: EventFacts, at = 0, index = 0, name = "run"): ProgressEvent {
  const origin = {
    run_id: "r",
    orchestration_id: "o",
    request_key: `o/${index}`,
    request_name: name,
    request_index: index,
  };
  return createEvent(origin, facts, at * 1000);
}

/** The outcome of an orchestration whose requests ended with these statuses. */
const NO_USAGE: OrchestrationResult["usage"] = {
  calls: 0,
  tokens: { prompt: 0, completion: 0, cache: 0, cache_write: 0, reasoning: null, total: 0 },
  cost_usd: 0,
  cost_calls: { endpoint: 0, prices: 0, unknown: 0 },
};

export function orchestrated(
  statuses: Readonly<Record<string, RequestOutcome["status"]>>,
  facts: Partial<Pick<OrchestrationResult, "status" | "usage">> & Partial<Pick<RequestOutcome, "result">> = {},
): OrchestrationResult {
  const requests = Object.entries(statuses).map(([name, status]) => [
    name,
    {
      name,
      status,
      result: facts.result ?? null,
      error: status === "completed" ? "" : `${name} went wrong`,
      paths: { output_dir: `results/${name}` },
      usage: null,
    },
  ]);
  const allCompleted = Object.values(statuses).every((status) => status === "completed");
  return {
    orchestration_id: "o",
    name: "",
    status: facts.status ?? (allCompleted ? "completed" : "partial_failure"),
    requests: Object.fromEntries(requests),
    usage: facts.usage ?? NO_USAGE,
    started_at: "2026-01-01T00:00:00+00:00",
    finished_at: "2026-01-01T00:00:10+00:00",
  };
}
