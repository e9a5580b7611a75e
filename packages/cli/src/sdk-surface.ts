import type { ProgressEvent } from "@agentcompass/core/event";
import type { Catalog } from "@agentcompass/core/plugin";
import type { LogRecord } from "@agentcompass/core/port";

/** What the commands print of a finished request; `result` is the object that `runEvaluation` returns. */
export type Outcome = {
  readonly name: string;
  readonly status: string;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly paths: Readonly<Record<string, string>>;
};

/** What `launch` and `runOutcome` return. */
export type Orchestrated = {
  readonly orchestration_id: string;
  readonly name: string;
  readonly status: string;
  readonly requests: Readonly<Record<string, Outcome>>;
  readonly started_at: string;
  readonly finished_at: string;
};

export type SummaryReport = {
  readonly metadata: object;
  readonly metrics: object;
  readonly summary: object;
  readonly paths: Readonly<Record<string, string>>;
  readonly markdown: string;
  readonly dry_run: boolean;
};

export type Check = {
  readonly name: string;
  readonly status: "ok" | "warning" | "missing";
  readonly detail: string;
};

/** The callbacks and the signal that the CLI hands to every run. */
export type RunCallbacks = {
  readonly onProgress: (event: ProgressEvent) => void;
  readonly onLog: (record: LogRecord) => void;
  readonly signal: AbortSignal;
};

export type Options = Readonly<Record<string, unknown>>;

/** The part of the SDK that the commands call; tests hand in a fake. */
export type Sdk = {
  runOutcome(options: Options & RunCallbacks): Promise<Orchestrated>;
  launch(spec: { readonly file: string }, options: Options & RunCallbacks): Promise<Orchestrated>;
  dryRun(
    spec: { readonly file: string },
    options: Options,
  ): Promise<{ readonly payload: object; readonly warnings: readonly string[] }>;
  summary(runDir: string, options: Options): Promise<SummaryReport>;
  configShow(options: Options): Promise<object>;
  components(): Promise<Catalog>;
  doctor(): Promise<{ readonly checks: readonly Check[] }>;
};
