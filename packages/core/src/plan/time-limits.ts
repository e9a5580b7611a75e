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
  const scaled = `${origin.text}${multiplied("run_timeout_multiplier", execution)}`;
  return {
    seconds: own === null ? null : own + compensation,
    source: `${scaled} + run_timer_compensation_seconds ${compensation}${origin.change}`,
  };
}

function evaluationLimit({ execution, task, plan }: TimeLimitsAsk): TimeLimit {
  const origin = originOf(
    "evaluation_timeout_seconds",
    execution.evaluation_timeout_seconds,
    task.evaluation_timeout_seconds,
  );
  return {
    seconds: plan.evaluation_timeout_seconds,
    source: `${origin.text}${multiplied("evaluation_timeout_multiplier", execution)}${origin.change}`,
  };
}

type Timeout = "run_timeout_seconds" | "evaluation_timeout_seconds";

function originOf(
  name: Timeout,
  option: number | null,
  ofTask: number | undefined,
  otherwise?: { readonly name: string; readonly seconds: number | null },
): { readonly text: string; readonly change: string } {
  if (option !== null) return { text: `execution.${name} ${option}`, change: "" };
  const change = `; execution.${name} changes it`;
  if (ofTask !== undefined) return { text: `the task's ${name} ${ofTask}`, change };
  return { text: otherwise ? `${otherwise.name} ${otherwise.seconds}` : `execution.${name}`, change };
}

function multiplied(own: "run_timeout_multiplier" | "evaluation_timeout_multiplier", execution: ExecutionSpec): string {
  const factor = execution[own];
  if (factor !== null) return ` x ${own} ${factor}`;
  return execution.timeout_multiplier === 1 ? "" : ` x timeout_multiplier ${execution.timeout_multiplier}`;
}
