import { AgentCompassError } from "../error.ts";
import type { Environment } from "../plugin/index.ts";
import type { EnvironmentSetup, NetworkPolicy, Resources } from "../spec/resolved.ts";
import type { ExecutionPlan } from "./execution-plan.ts";

/**
 * Refuses what a request asks of an environment that does not enforce it: a network policy, a resource or a setup that would
 * silently not hold. `storage_mb` alone is let through; it is returned as a warning.
 */
export function checkEnvironment(environment: Environment, plan: ExecutionPlan): readonly string[] {
  checkSetup(environment, plan.environment.setup);
  return checkTask(environment, plan);
}

/** The same for the plan of a task, whose own setup (an image, for instance) does not bind an environment without it. */
export function checkTask(environment: Environment, plan: ExecutionPlan): readonly string[] {
  const policies: [string, NetworkPolicy][] = [
    ["baseline_network_policy", plan.environment.baseline_network_policy],
    ["run_network_policy", plan.run_network_policy],
    ["evaluation_network_policy", plan.evaluation_network_policy],
  ];
  for (const [field, policy] of policies) checkPolicy(environment, field, policy);
  return checkResources(environment, plan.environment.resources);
}

function checkPolicy(environment: Environment, field: string, policy: NetworkPolicy): void {
  if (environment.networkModes.includes(policy.network_mode)) return;
  throw new AgentCompassError(
    "component.invalid",
    `environment.${field}: ${environment.id} cannot enforce network mode ${policy.network_mode}; it has ${environment.networkModes.join(", ")}`,
  );
}

function checkSetup(environment: Environment, setup: EnvironmentSetup): void {
  const known = environment.setupFields;
  const unmet = (Object.keys(setup) as (keyof EnvironmentSetup)[]).find(
    (field) => setup[field] !== undefined && known !== undefined && !known.includes(field),
  );
  if (unmet === undefined || known === undefined) return;
  throw new AgentCompassError(
    "component.invalid",
    `environment.setup.${unmet}: ${environment.id} has no use for it; it takes ${known.join(", ")}`,
  );
}

function checkResources(environment: Environment, resources: Resources): readonly string[] {
  const unmet = (Object.keys(resources) as (keyof Resources)[]).filter(
    (field) => resources[field] !== undefined && !environment.resourceFields.includes(field),
  );
  const refused = unmet.filter((field) => field !== "storage_mb");
  if (refused.length > 0)
    throw new AgentCompassError(
      "component.invalid",
      `environment.resources.${refused[0]}: ${environment.id} cannot enforce it; remove it or choose an environment with a container`,
    );
  return unmet.length > 0 ? [`environment.resources.storage_mb is ignored: ${environment.id} cannot enforce it`] : [];
}
