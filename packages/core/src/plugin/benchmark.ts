import type { Log } from "../port/log.ts";
import type { MetricValue } from "../result/attempt-result.ts";
import type { Issue } from "../result/issue.ts";
import type { MetricContract } from "../result/metric-contract.ts";
import type { EnvironmentSetup, ModelSpec, NetworkPolicy, Params, Resources } from "../spec/resolved.ts";
import type { Environment, EnvironmentSession } from "./environment.ts";
import type { HarnessRun } from "./harness.ts";
import type { Model } from "./model.ts";

/** One sample of a benchmark, as loaded: plain JSON, so that it can travel through a queue. */
export type TaskSpec = {
  /** Unique, non-empty, without surrounding blanks. */
  readonly task_id: string;
  readonly category: string | null;
  readonly ground_truth: unknown;
  /** The benchmark's own data, handed back to prepare, solve and evaluate. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_timeout_seconds?: number;
  readonly evaluation_timeout_seconds?: number;
  readonly env_variables?: Readonly<Record<string, string>>;
  readonly environment_setup?: EnvironmentSetup;
  readonly resources?: Resources;
  readonly baseline_network_policy?: NetworkPolicy;
  readonly run_network_policy?: NetworkPolicy;
  readonly evaluation_network_policy?: NetworkPolicy;
};

/** Where the data came from, kept in run_info.json. */
export type DataProvenance = {
  readonly source: string;
  /** `sha256:<hex>` of the bytes that were read. */
  readonly checksum?: string;
  readonly commit?: string;
  /** The archive that the data was unpacked from. */
  readonly archive?: { readonly address: string; readonly checksum: string };
  /** Tasks in the source before selection. */
  readonly tasks_available: number;
};

export type LoadedTasks = {
  readonly tasks: readonly TaskSpec[];
  readonly provenance: DataProvenance;
  /** One line each, said once. */
  readonly warnings: readonly string[];
};

/** What a harness gets to work on. Field names are AgentCompass's. */
export type PreparedTask = {
  readonly task_id: string;
  readonly category: string | null;
  readonly ground_truth: unknown;
  readonly input: {
    readonly prompt: string;
    readonly system_prompt: string | null;
    readonly media: readonly unknown[];
    readonly files: readonly unknown[];
    readonly workspace: string | null;
    readonly tools: readonly unknown[];
    readonly messages: readonly unknown[];
  };
  readonly output: {
    readonly answer: string | null;
    readonly files: readonly { readonly path: string; readonly description: string }[];
  };
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type LoadAsk = {
  readonly params: Params;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  readonly environment: Environment;
  /** Opens a session as tasks of this request get one, to see what is there. Whoever opens it closes it. */
  readonly openSession: () => Promise<EnvironmentSession>;
  readonly signal: AbortSignal;
  readonly log: Log;
};

export type TaskAsk = {
  readonly params: Params;
  readonly task: TaskSpec;
  readonly session: EnvironmentSession;
  readonly signal: AbortSignal;
  readonly log: Log;
};

/**
 * Connects a further model that only scores, such as a judge. What it uses is measured apart from the agent's model; its
 * `complete` throws ModelFailure.
 */
export type ConnectModel = (spec: ModelSpec, protocol: string) => Promise<Model>;

export type EvaluateAsk = Omit<TaskAsk, "session"> & {
  readonly prepared: PreparedTask;
  readonly run: HarnessRun;
  /** Undefined in evaluation mode `none`. */
  readonly session: EnvironmentSession | undefined;
  readonly connectModel: ConnectModel;
};

export type Evaluation = {
  /** Values of declared metrics only. */
  readonly metrics: Readonly<Record<string, MetricValue>>;
  /** Phase `evaluate` unless said otherwise. */
  readonly issues?: readonly Issue[];
  readonly artifacts?: Readonly<Record<string, unknown>>;
  /** Kept as `meta.benchmark`. */
  readonly meta?: Readonly<Record<string, unknown>>;
};

/**
 * A set of tasks and how an answer is scored. Instances hold no state of a run; `params` are the parsed ones of
 * the descriptor's schema.
 */
export interface Benchmark {
  readonly id: string;
  readonly metrics: MetricContract;
  /** What a harness must deliver: a text, or changes in the environment. */
  readonly answer: "text" | "workspace";
  /** `none`: evaluated without an environment; `reuse`: in the session the agent worked in. */
  readonly evaluationEnvironmentMode: "none" | "reuse" | "fresh";
  readonly parallelAttemptsSafe: boolean;
  /** Metrics of an attempt whose evaluation timed out; empty leaves the metric missing. */
  readonly evaluationTimeoutMetrics: Readonly<Record<string, MetricValue>>;
  /**
   * Reads the data and applies the common selection. Throws AgentCompassError `benchmark.data_missing` (with the path, and
   * how to get it), `benchmark.data_invalid` (with the line) or `benchmark.empty`.
   */
  doLoad(ask: LoadAsk): Promise<LoadedTasks>;
  /** Puts the task into the environment and words it for a harness. */
  doPrepare(ask: TaskAsk): Promise<PreparedTask>;
  /** Applies the reference solution in the session and returns the answer it stands for; absent where a task has none. */
  doSolve?(ask: TaskAsk & { readonly prepared: PreparedTask }): Promise<string | null>;
  /** Scores what the harness left. Runs also after a harness that ended in an ERROR. */
  doEvaluate(ask: EvaluateAsk): Promise<Evaluation>;
}
