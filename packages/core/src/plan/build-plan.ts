import type { Benchmark, Environment, Harness, TaskSpec } from "../plugin/index.ts";
import type { ExecutionSpec, NetworkPolicy, ResolvedRequest, Resources } from "../spec/resolved.ts";
import type { ExecutionPlan } from "./execution-plan.ts";

export type PlanAsk = {
  readonly request: ResolvedRequest;
  readonly task: TaskSpec;
  readonly benchmark: Benchmark;
  readonly harness: Harness;
  readonly environment: Environment;
};

export const PUBLIC_NETWORK: NetworkPolicy = { network_mode: "public", allowed_hosts: [], denied_hosts: [] };

/** Builds the plan of every attempt of a task: the environment's settings win over the task's. Pure. */
export function buildExecutionPlan(ask: PlanAsk): ExecutionPlan {
  const { request, task, benchmark } = ask;
  const { execution, environment } = request;
  const baseline = environment.baseline_network_policy ?? task.baseline_network_policy ?? PUBLIC_NETWORK;
  const mode = environment.evaluation_environment_mode ?? benchmark.evaluationEnvironmentMode;
  return {
    environment: {
      id: environment.id,
      baseline_network_policy: baseline,
      resources: mergeResources(task.resources, environment.resources, environment.run_resources),
      setup: { ...task.environment_setup, ...environment.setup },
    },
    evaluation_environment: null,
    evaluation_environment_mode: mode,
    run_network_policy: environment.run_network_policy ?? task.run_network_policy ?? baseline,
    evaluation_network_policy: environment.evaluation_network_policy ?? task.evaluation_network_policy ?? baseline,
    applied_recipes: [],
    run_timeout_seconds: runTimeout(ask),
    evaluation_timeout_seconds: scaled(
      execution.evaluation_timeout_seconds ?? task.evaluation_timeout_seconds ?? null,
      execution.evaluation_timeout_multiplier ?? execution.timeout_multiplier,
    ),
    artifact_limits: execution.artifact_limits,
    artifact_collection_supported: true,
    collect_artifacts: true,
    save_artifacts: execution.save_artifacts ?? mode === "fresh",
    runresult_collect_timeout_seconds: execution.runresult_collect_timeout_seconds,
    run_timer_compensation_seconds: execution.run_timer_compensation_seconds,
    artifact_collect_timeout_seconds: execution.artifact_collect_timeout_seconds,
  };
}

function runTimeout(ask: PlanAsk): number | null {
  const execution: ExecutionSpec = ask.request.execution;
  return scaled(
    execution.run_timeout_seconds ?? ask.task.run_timeout_seconds ?? ask.harness.defaultRunTimeoutSeconds,
    execution.run_timeout_multiplier ?? execution.timeout_multiplier,
  );
}

function scaled(seconds: number | null, multiplier: number): number | null {
  return seconds === null ? null : seconds * multiplier;
}

/** A kind of GPU without a number of them asks for one. */
function mergeResources(...layers: readonly (Resources | undefined)[]): Resources {
  const merged: Resources = Object.assign({}, ...layers.filter((layer) => layer !== undefined));
  return merged.gpu_type !== undefined && merged.gpu === undefined ? { ...merged, gpu: 1 } : merged;
}
