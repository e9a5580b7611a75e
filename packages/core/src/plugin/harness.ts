import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import type { Issue } from "../result/issue.ts";
import type { Trajectory } from "../result/trajectory.ts";
import type { ModelSpec, Params } from "../spec/resolved.ts";
import type { PreparedTask } from "./benchmark.ts";
import type { EnvironmentSession } from "./environment.ts";
import type { Model } from "./model.ts";

/** What an agent produced in one execution of an attempt. */
export type HarnessRun = {
  readonly final_answer: unknown;
  readonly trajectory: Trajectory | null;
  readonly issues: readonly Issue[];
  readonly artifacts: Readonly<Record<string, unknown>>;
  /** Kept as `meta.harness.telemetry` when not empty. */
  readonly telemetry: Readonly<Record<string, unknown>>;
};

export type RunAsk = {
  readonly params: Params;
  readonly prepared: PreparedTask;
  readonly session: EnvironmentSession;
  readonly modelSpec: ModelSpec;
  /** Connected, measured model; undefined when the spec's model is `none`. */
  readonly model: Model | undefined;
  /** Applies the task's reference solution in the session; undefined when the benchmark has none. */
  readonly applyReference: (() => Promise<string | null>) | undefined;
  /** Epoch milliseconds when the run will be stopped; undefined is never. */
  readonly deadlineAt: number | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
};

/** After the run, under a time of its own; no model may be called any more. */
export type CollectAsk = Pick<RunAsk, "params" | "prepared" | "session" | "clock" | "signal" | "log"> & {
  /** What the run returned; empty when it threw or was stopped. */
  readonly run: HarnessRun;
};

/** What was found takes the place of the run's own; artifacts are added. */
export type Collected = Partial<Pick<HarnessRun, "final_answer" | "trajectory" | "artifacts">>;

/** An agent. It borrows the session and may not close it; it throws StageFailure, ModelFailure or anything else. */
export interface Harness {
  readonly id: string;
  readonly parallelAttemptsSafe: boolean;
  /** What it can deliver: `text` alone fits no benchmark that looks at the workspace. */
  readonly delivers: readonly ("text" | "workspace")[];
  readonly needsModel: boolean;
  /** True when commands chosen by a model run in the environment. */
  readonly runsCommands: boolean;
  /** Protocols it speaks, its default first; empty when it needs no model. */
  readonly protocols: readonly string[];
  /** Environment ids it works in; undefined is any. */
  readonly environments?: readonly string[];
  readonly defaultRunTimeoutSeconds: number | null;
  doRun(ask: RunAsk): Promise<HarnessRun>;
  /**
   * Picks up what the run left in the session, also after a run that was stopped; not after a fatal one. A failure here is
   * FATAL `collect_failed`.
   */
  doCollect?(ask: CollectAsk): Promise<Collected>;
}
