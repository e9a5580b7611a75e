import type { OrchestrationResult, RequestOutcome } from "@agentcompass/core/engine";
import type { ProgressEvent } from "@agentcompass/core/event";
import type { Catalog } from "@agentcompass/core/plugin";
import type { LogRecord } from "@agentcompass/core/port";
import type { ResolvedOrchestration } from "@agentcompass/core/spec";

type Params = Readonly<Record<string, unknown>>;

/** Options of a launch, over what the file and the configuration say. */
export type LaunchOptions = {
  /** Further configuration files, lowest precedence first. Refused with a resolved orchestration. */
  readonly configPath?: string | readonly string[];
  /** Tasks at once over the whole orchestration. @default 32 */
  readonly taskConcurrency?: number;
  /** Relative to the working directory. @default "results" */
  readonly resultsDir?: string;
  /** Relative to the working directory. @default "data" */
  readonly dataDir?: string;
  /** Seconds for the whole orchestration after its checks; 0 is none. @default 360000 */
  readonly timeoutSeconds?: number;
  /** Seconds that active tasks get to end after a cancellation. @default 30 */
  readonly cleanupGraceSeconds?: number;
  /** Executions at once by environment provider, over every process of the user; 0 is unlimited. @default 128 each */
  readonly providerLimits?: Readonly<Record<string, number>>;
  /** Environment opens per second by provider; 0 is no pacing. */
  readonly envOpenQps?: Readonly<Record<string, number>>;
  readonly logLevel?: string;
  readonly fileLogLevel?: string;
  /** A file that gets the log of every request, beside each run's own run.log. */
  readonly logFile?: string;
  readonly progress?: string;
  readonly autoInstallDependencies?: boolean;
  /** Run id of every request. */
  readonly runId?: string;
  /** Take finished tasks from an earlier run of the same namespace. */
  readonly reuse?: boolean;
  /** Called with each event, in order; what it throws is logged and ignored. */
  readonly onProgress?: (event: ProgressEvent) => void;
  readonly onRequestFinished?: (outcome: RequestOutcome) => void;
  readonly onLog?: (record: LogRecord) => void;
  /** Called once with what will run, before anything is written. */
  readonly onResolved?: (orchestration: ResolvedOrchestration) => void;
  /** Aborting cancels the orchestration. */
  readonly signal?: AbortSignal;
  /** Aborting it after `signal` gives up the grace: the status is written, what still runs is left behind. */
  readonly endNow?: AbortSignal;
  /**
   * Files of components of one's own, relative to the working directory, besides those that the spec and the configuration
   * name. They are trusted: they run in this process.
   */
  readonly components?: string | readonly string[];
  /** Components over the built-in ones. */
  readonly catalog?: Catalog;
};

/** Options of one evaluation. */
export type RunEvaluationOptions = Omit<LaunchOptions, "runId"> & {
  readonly benchmark: string;
  readonly harness: string;
  /** Model id, or `none` for a harness that calls none. */
  readonly model: string;
  /** @default "host_process" */
  readonly environment?: string;
  readonly benchmarkParams?: Params;
  readonly harnessParams?: Params;
  readonly environmentParams?: Params;
  readonly modelParams?: Params;
  /** Replaces the whole of the configured analysis parameters. */
  readonly analysisParams?: Params;
  /** Fields of `execution`, over the configuration. */
  readonly executionParams?: Params;
  readonly modelBaseUrl?: string;
  readonly modelApiKey?: string;
  readonly wrapApiKey?: boolean;
  readonly modelApiProtocol?: string | readonly string[];
  /** Attempts per task. @default 1 */
  readonly k?: number;
  readonly attemptStrategy?: string;
  readonly maxRetries?: number;
  readonly retryPatternList?: readonly string[];
  readonly enabledRecipes?: readonly string[];
  readonly recipeDirs?: readonly string[];
  readonly runName?: string;
  readonly runId?: string;
  readonly reuseRunId?: string;
  readonly checkpointResume?: boolean;
  readonly keepEnvironment?: boolean;
  readonly enableAnalysis?: boolean;
};

/** The object of one finished evaluation: metadata, metrics, summary, paths, applied_recipes. */
export type RunResult = Readonly<Record<string, unknown>>;

export type { OrchestrationResult, RequestOutcome };
