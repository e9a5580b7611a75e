import { buildExecutionPlan } from "../plan/index.ts";
import type { EnvironmentSession, TaskSpec } from "../plugin/index.ts";
import { interpolateTaskEnv } from "../spec/index.ts";
import type { EngineDeps } from "./deps.ts";
import type { Checked } from "./preflight.ts";

const NO_TASK: TaskSpec = { task_id: "-", category: null, ground_truth: null, metadata: {} };

/** A session as a task of this request gets one that asks for nothing of its own, with the variables of its evaluation. */
export async function openProbeSession(
  checked: Checked,
  deps: Pick<EngineDeps, "env" | "onLog">,
  signal: AbortSignal,
): Promise<EnvironmentSession> {
  const { environment, request, params } = checked;
  const plan = buildExecutionPlan({ ...checked, task: NO_TASK });
  const { env_variables, evaluation_env_variables } = request.environment;
  return environment.doOpen({
    params: params.environment,
    setup: plan.environment.setup,
    resources: plan.environment.resources,
    env: interpolateTaskEnv(
      { ...plan.env_variables, ...env_variables, ...evaluation_env_variables },
      deps.env,
      (name) =>
        `environment.${Object.hasOwn(evaluation_env_variables, name) ? "evaluation_env_variables" : "env_variables"}.${name}`,
    ),
    label: `${request.benchmark.id}-check`,
    signal,
    log: deps.onLog,
  });
}
