import type { Harness, TaskSpec } from "../plugin/index.ts";
import type { ExecutionSpec } from "../spec/resolved.ts";
import type { ExecutionPlan } from "./execution-plan.ts";

/** The time of one layer of an attempt. */
export type TimeLimit = {
  /** As it is enforced, multipliers and compensation included; null is none. */
  readonly seconds: number | null;
  /** How the seconds came about, and by which option they change. */
  readonly source: string;
};

export type TimeLimits = {
  readonly build: TimeLimit;
  readonly run: TimeLimit;
  readonly collect: TimeLimit;
  readonly evaluation: TimeLimit;
};

export type TimeLimitsAsk = {
  readonly execution: ExecutionSpec;
  readonly task: TaskSpec;
  readonly harness: Pick<Harness, "id" | "defaultRunTimeoutSeconds">;
  readonly plan: ExecutionPlan;
};

/** Every time limit of an attempt with its reason, for whoever reads that one was exceeded. Pure. */
export function timeLimits(ask: TimeLimitsAsk): TimeLimits {
  const { plan } = ask;
  return {
    build: {
      seconds: plan.environment.setup.build_timeout_seconds ?? null,
      source: "environment.setup.build_timeout_seconds",
    },
    run: runLimit(ask),
    collect: {
      seconds: plan.runresult_collect_timeout_seconds,
      source: "execution.runresult_collect_timeout_seconds",
    },
    evaluation: evaluationLimit(ask),
  };
}

/** The watchdog outlasts the run's own time, so that an agent that keeps its time is never cut off. */
function runLimit({ execution, task, harness, plan }: TimeLimitsAsk): TimeLimit {
  const own = plan.run_timeout_seconds;
  const compensation = plan.run_timer_compensation_seconds;
  const origin = originOf("run_timeout_seconds", execution.run_timeout_seconds, task.run_timeout_seconds, {
    name: `default of harness ${harness.id}`,
    seconds: harness.defaultRunTimeoutSeconds,
  });
  return {
    seconds: own === null ? null : own + compensation,
    source: `${described(origin, multiplierOf("run_timeout_multiplier", execution), own)} + run_timer_compensation_seconds ${compensation}${origin.change}`,
  };
}

function evaluationLimit({ execution, task, plan }: TimeLimitsAsk): TimeLimit {
  const origin = originOf(
    "evaluation_timeout_seconds",
    execution.evaluation_timeout_seconds,
    task.evaluation_timeout_seconds,
  );
  const own = plan.evaluation_timeout_seconds;
  const multiplier = multiplierOf("evaluation_timeout_multiplier", execution);
  return { seconds: own, source: `${described(origin, multiplier, own)}${origin.change}` };
}

type Timeout = "run_timeout_seconds" | "evaluation_timeout_seconds";

type Origin = { readonly name: string; readonly seconds: number | null; readonly change: string };

function originOf(
  name: Timeout,
  option: number | null,
  ofTask: number | undefined,
  otherwise: { readonly name: string; readonly seconds: number | null } = { name: `execution.${name}`, seconds: null },
): Origin {
  if (option !== null) return { name: `execution.${name}`, seconds: option, change: "" };
  const change = `; execution.${name} changes it`;
  if (ofTask !== undefined) return { name: `the task's ${name}`, seconds: ofTask, change };
  return { ...otherwise, change };
}

type Multiplier = { readonly name: string; readonly factor: number };

function multiplierOf(
  own: "run_timeout_multiplier" | "evaluation_timeout_multiplier",
  execution: ExecutionSpec,
): Multiplier {
  const factor = execution[own];
  return factor === null ? { name: "timeout_multiplier", factor: execution.timeout_multiplier } : { name: own, factor };
}

/** The sum that led to the planned seconds; a plan that holds others was changed by a recipe. */
function described(origin: Origin, multiplier: Multiplier, planned: number | null): string {
  const { name, seconds } = origin;
  if (planned !== null && (seconds === null || seconds * multiplier.factor !== planned))
    return `${planned} as planned by a recipe`;
  return multiplier.factor === 1
    ? `${name} ${seconds}`
    : `${name} ${seconds} x ${multiplier.name} ${multiplier.factor}`;
}
