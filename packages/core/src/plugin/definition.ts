/**
 * What a file of a team's own components exports. A definition says less than the contract it becomes (Benchmark, Harness,
 * Environment): what it leaves out has the default named here.
 */
import type { MetricContract } from "../result/metric-contract.ts";
import type { Params } from "../spec/resolved.ts";
import type {
  Benchmark,
  DataProvenance,
  EvaluateAsk,
  Evaluation,
  LoadAsk,
  PreparedTask,
  TaskAsk,
  TaskSpec,
} from "./benchmark.ts";
import type { Environment, EnvironmentSession, OpenAsk } from "./environment.ts";
import type { CollectAsk, Collected, Harness, HarnessRun, RunAsk } from "./harness.ts";
import type { Recipe } from "./recipe.ts";

/** An object schema of zod 4: the copy that `agentcompass` exports or the file's own. Fields it does not name are refused. */
export type ParamsSchema = {
  readonly shape: Readonly<Record<string, unknown>>;
  safeParse(value: unknown): { readonly success: boolean };
};

/** What a schema's parameters are once parsed; any object without a schema. */
export type ParsedParams<S> = S extends { safeParse(value: unknown): infer Result }
  ? Extract<Result, { success: true }> extends { data: infer Data }
    ? Data
    : Params
  : Params;

type Parsed<Ask, S> = Omit<Ask, "params"> & { readonly params: ParsedParams<S> };
type MaybePromise<T> = T | Promise<T>;

/** Identity, and the parameters that a spec may give beside the id. */
type Described<S> = {
  /** Letters, digits, `_`, `-` and `.`; not that of another component of the kind. */
  readonly id: string;
  /** One line for `list` and `config docs`. */
  readonly description: string;
  /** Parameters of its own, each described. @default none */
  readonly params?: S;
};

/** A task as a definition loads it: category null, no ground truth, no metadata unless given. */
export type TaskDefinition = Pick<TaskSpec, "task_id"> & Partial<TaskSpec>;

export type TaskList = {
  /** Every task of the data: `sample_ids`, `limit` and `sample_seed` are applied to them afterwards. */
  readonly tasks: readonly TaskDefinition[];
  /** @default the component's file as the source */
  readonly provenance?: Partial<DataProvenance>;
  readonly warnings?: readonly string[];
};

export type BenchmarkDefinition<S = undefined> = Described<S> & {
  /** @default one metric `correct`, true or false */
  readonly metrics?: MetricContract;
  /** @default "text" */
  readonly answer?: Benchmark["answer"];
  /** @default "none" for an answer in text, "reuse" for one in the environment */
  readonly evaluationEnvironmentMode?: "none" | "reuse";
  /** @default true */
  readonly parallelAttemptsSafe?: boolean;
  /** @default none: the metric of an evaluation that timed out is missing */
  readonly evaluationTimeoutMetrics?: Benchmark["evaluationTimeoutMetrics"];
  doLoad(ask: Parsed<LoadAsk, S>): MaybePromise<TaskList>;
  /** `textTask(task, prompt)` is what most return. */
  doPrepare(ask: Parsed<TaskAsk, S>): MaybePromise<PreparedTask>;
  doSolve?(ask: Parsed<TaskAsk, S> & { readonly prepared: PreparedTask }): MaybePromise<string | null>;
  doEvaluate(ask: Parsed<EvaluateAsk, S>): MaybePromise<Evaluation>;
};

export type HarnessDefinition<S = undefined> = Described<S> & {
  readonly delivers: Harness["delivers"];
  readonly needsModel: boolean;
  /** True when commands that a model chose run in the environment: what they can reach is then said once per run. */
  readonly runsCommands: boolean;
  /** @default every protocol that AgentCompass speaks when it needs a model */
  readonly protocols?: readonly string[];
  /** @default any */
  readonly environments?: readonly string[];
  /** @default true */
  readonly parallelAttemptsSafe?: boolean;
  /** @default null, no timeout */
  readonly defaultRunTimeoutSeconds?: number | null;
  /** What it leaves out is empty. */
  doRun(ask: Parsed<RunAsk, S>): MaybePromise<Partial<HarnessRun>>;
  doCollect?(ask: Parsed<CollectAsk, S>): MaybePromise<Collected>;
};

export type EnvironmentDefinition<S = undefined> = Described<S> &
  Pick<Environment, "networkModes" | "ownsFilesystem" | "exposure"> & {
    /** @default none */
    readonly resourceFields?: Environment["resourceFields"];
    /** @default none */
    readonly setupFields?: Environment["setupFields"];
    doOpen(ask: Parsed<OpenAsk, S>): Promise<EnvironmentSession>;
  };

/** One more way for the benchmark `jsonl` to compare an answer with what its line expects. */
export type ScorerDefinition = {
  readonly id: string;
  readonly description: string;
  isCorrect(answer: string, expected: unknown): MaybePromise<boolean>;
  /** Why this can be no expectation, as one line; undefined when it can. @default anything can */
  refuse?(expected: unknown): string | undefined;
  /** The answer that stands for the expectation, for the harness `oracle`. @default the expectation when it is a text */
  reference?(expected: unknown): string | undefined;
};

export type RecipeDefinition = Recipe;

/** One component of a file: its kind, and the definition of that kind. */
export type OwnDefinition =
  | ({ readonly kind: "benchmark" } & BenchmarkDefinition<ParamsSchema | undefined>)
  | ({ readonly kind: "harness" } & HarnessDefinition<ParamsSchema | undefined>)
  | ({ readonly kind: "environment" } & EnvironmentDefinition<ParamsSchema | undefined>)
  | ({ readonly kind: "scorer" } & ScorerDefinition)
  | ({ readonly kind: "recipe" } & RecipeDefinition);
