import type { EventFacts } from "../event/index.ts";
import type { ExecutionPlan } from "../plan/index.ts";
import { type TimeLimits, timeLimits } from "../plan/time-limits.ts";
import type {
  Benchmark,
  ConnectModel,
  Environment,
  Harness,
  HarnessRun,
  Model,
  PreparedTask,
  TaskSpec,
} from "../plugin/index.ts";
import type { Clock, Log, Random } from "../port/index.ts";
import type { MetricValue } from "../result/attempt-result.ts";
import type { Issue } from "../result/issue.ts";
import type { PlaceOf } from "../spec/reference.ts";
import type { Params, ResolvedRequest } from "../spec/resolved.ts";
import type { ModelRefusal } from "./model-refusal.ts";

/** Everything one execution of an attempt needs; it reaches nothing else. */
export type ExecutionContext = {
  readonly request: ResolvedRequest;
  readonly benchmark: Benchmark;
  readonly harness: Harness;
  readonly environment: Environment;
  readonly params: { readonly benchmark: Params; readonly harness: Params; readonly environment: Params };
  /** Undefined when the spec's model is `none`. */
  readonly model: Model | undefined;
  /** Connects a model that only scores, measured apart. */
  readonly connectModel: ConnectModel;
  readonly task: TaskSpec;
  readonly attempt: number;
  readonly plan: ExecutionPlan;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Removes secrets from a text that will be written or shown. */
  readonly redact: (text: string) => string;
  readonly emit: (facts: EventFacts) => void;
  /** Resolves `${NAME}` in the environment maps of the spec. */
  readonly taskEnv: (map: Readonly<Record<string, string>>, placeOf: PlaceOf) => Readonly<Record<string, string>>;
  /** Called with what the agent left, before it is evaluated. */
  readonly saveCheckpoint: (checkpoint: EvaluationCheckpoint) => Promise<void>;
  /** Aborts when the orchestration is cancelled or its time is over. */
  readonly signal: AbortSignal;
};

/** What is needed to evaluate again without the agent. */
export type EvaluationCheckpoint = { readonly run: RunOutcome; readonly prepared: PreparedTask };

/** How the harness ended: its result, or an empty one with the issues of what failed. */
export type RunOutcome = {
  readonly run: HarnessRun;
  readonly issues: readonly Issue[];
  /** True when a harness or a set-up threw instead of returning. */
  readonly failed: boolean;
  /** How the last model call ended when no later one was answered. */
  readonly refusal?: ModelRefusal | undefined;
};

/** One execution from open to close, as data. */
export type ExecutionOutcome = {
  readonly run: RunOutcome;
  readonly prepared: PreparedTask | undefined;
  readonly metrics: Readonly<Record<string, MetricValue>>;
  readonly evaluationIssues: readonly Issue[];
  /** The model call for which the evaluation failed, as one of a judge. */
  readonly evaluationRefusal?: ModelRefusal | undefined;
  readonly evaluationArtifacts: Readonly<Record<string, unknown>>;
  readonly benchmarkMeta: Readonly<Record<string, unknown>>;
};

export const EMPTY_RUN: HarnessRun = { final_answer: null, trajectory: null, issues: [], artifacts: {}, telemetry: {} };

export function limitsOf(context: ExecutionContext): TimeLimits {
  const { task, harness, plan } = context;
  return timeLimits({ execution: context.request.execution, task, harness, plan });
}

/** All issues of an execution in the order they arose. */
export function allIssues(outcome: ExecutionOutcome): readonly Issue[] {
  return [...outcome.run.issues, ...outcome.evaluationIssues];
}
