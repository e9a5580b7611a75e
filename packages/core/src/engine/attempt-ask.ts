import type { AttemptStart } from "../attempt/index.ts";
import type { TaskSpec } from "../plugin/index.ts";
import type { ResolvedOrchestration } from "../spec/resolved.ts";
import type { EngineDeps } from "./deps.ts";
import type { RequestRun } from "./request-run.ts";

/** One attempt of a task as the engine runs it. */
export type AttemptRunAsk = {
  readonly orchestration: ResolvedOrchestration;
  readonly deps: EngineDeps;
  readonly run: RequestRun;
  readonly task: TaskSpec;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly start: AttemptStart;
  /** The write that lists the attempt in its task's document: over before the attempt's result is written. */
  readonly listed: Promise<void>;
  /** Called once the attempt has run, before its result is written. */
  readonly onExecuted: () => void;
};
