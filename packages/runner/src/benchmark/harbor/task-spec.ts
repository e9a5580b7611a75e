import type { TaskSpec } from "@agentcompass/core/plugin";
import { z } from "zod";
import type { Place } from "./layout.ts";
import type { TaskToml } from "./task-toml.ts";
import { plainVariables } from "./variables.ts";

type EnvironmentSetup = NonNullable<TaskSpec["environment_setup"]>;
type Resources = NonNullable<TaskSpec["resources"]>;
type NetworkPolicy = NonNullable<TaskSpec["baseline_network_policy"]>;

/** Harbor's own default for agent and verifier. */
const DEFAULT_TIMEOUT_SECONDS = 600;

/** The benchmark's data that travels with a task. */
export const HarborMetadata = z.object({
  /** Absolute folder of the task on the machine that loaded it. */
  sample_dir: z.string(),
  instruction: z.string(),
  owns_filesystem: z.boolean(),
  difficulty: z.string().nullable(),
  verifier_env: z.record(z.string(), z.string()),
  solution_env: z.record(z.string(), z.string()),
});
export type HarborMetadata = z.infer<typeof HarborMetadata>;

type SpecAsk = {
  readonly id: string;
  readonly folder: string;
  readonly instruction: string;
  readonly toml: TaskToml;
  readonly place: Place;
};

/** A task.toml in our words; `notes` says what this environment cannot keep of it. */
export function toTaskSpec(ask: SpecAsk): { readonly spec: TaskSpec; readonly notes: readonly string[] } {
  const { id, folder, toml, place } = ask;
  const { resources, notes } = resourcesFor(toml.environment ?? {}, place);
  const variables = {
    environment: plainVariables(`${folder}/task.toml`, "environment.env", toml.environment?.env),
    verifier: plainVariables(`${folder}/task.toml`, "verifier.env", toml.verifier?.env),
    solution: plainVariables(`${folder}/task.toml`, "solution.env", toml.solution?.env),
  };
  const metadata: HarborMetadata = {
    sample_dir: folder,
    instruction: ask.instruction,
    owns_filesystem: place.ownsFilesystem,
    difficulty: toml.metadata?.difficulty ?? null,
    verifier_env: variables.verifier.values,
    solution_env: variables.solution.values,
  };
  const spec: TaskSpec = {
    task_id: id,
    category: toml.metadata?.category ?? null,
    ground_truth: null,
    metadata,
    run_timeout_seconds: toml.agent?.timeout_sec ?? DEFAULT_TIMEOUT_SECONDS,
    evaluation_timeout_seconds: toml.verifier?.timeout_sec ?? DEFAULT_TIMEOUT_SECONDS,
    env_variables: variables.environment.values,
    environment_setup: setupFor(toml.environment ?? {}, place),
    resources,
    ...policies(toml),
  };
  return { spec, notes: [...notes, ...Object.values(variables).flatMap((group) => group.notes)] };
}

type EnvironmentTable = NonNullable<TaskToml["environment"]>;

function setupFor(table: EnvironmentTable, place: Place): EnvironmentSetup {
  if (!place.ownsFilesystem) return {};
  return {
    ...(table.docker_image !== undefined && { image: table.docker_image }),
    ...(table.build_timeout_sec !== undefined && { build_timeout_seconds: table.build_timeout_sec }),
    ...(table.workdir !== undefined && { workdir: table.workdir }),
    ...(table.os !== undefined && { os: table.os }),
  };
}

/**
 * The sizes a task asks for. Without a container they are only limits that cannot be kept: they are left out and noted.
 * A GPU stays asked for, so that a place without one is refused.
 */
function resourcesFor(table: EnvironmentTable, place: Place): { resources: Resources; notes: readonly string[] } {
  const memory = table.memory_mb ?? table.memory;
  const storage = table.storage_mb ?? table.storage;
  const limits: Resources = {
    ...(table.cpus !== undefined && { cpu: table.cpus }),
    ...(memory !== undefined && { memory_mb: memory }),
    ...(storage !== undefined && { storage_mb: storage }),
  };
  const gpu = table.gpus !== undefined && table.gpus > 0 ? { gpu: table.gpus } : {};
  const isKept = (field: string): boolean =>
    place.ownsFilesystem || place.resourceFields.some((known) => known === field);
  const kept = Object.entries(limits).filter(([field]) => isKept(field));
  const dropped = Object.keys(limits).filter((field) => !isKept(field));
  return {
    resources: { ...Object.fromEntries(kept), ...gpu },
    notes: dropped.map((field) => `${place.id} does not enforce the ${field} of the tasks`),
  };
}

type Policies = Pick<TaskSpec, "baseline_network_policy" | "run_network_policy" | "evaluation_network_policy">;

function policies(toml: TaskToml): Policies {
  const { environment, agent, verifier } = toml;
  const closed: NetworkPolicy = { network_mode: "no-network", allowed_hosts: [], denied_hosts: [] };
  const baseline = policy(environment) ?? (environment?.allow_internet === false ? closed : undefined);
  const run = policy(agent);
  const evaluation = policy(verifier);
  return {
    ...(baseline && { baseline_network_policy: baseline }),
    ...(run && { run_network_policy: run }),
    ...(evaluation && { evaluation_network_policy: evaluation }),
  };
}

type NetworkTable = {
  readonly network_mode?: NetworkPolicy["network_mode"] | undefined;
  readonly allowed_hosts?: readonly string[] | undefined;
};

function policy(table: NetworkTable | undefined): NetworkPolicy | undefined {
  if (table?.network_mode === undefined) return undefined;
  return { network_mode: table.network_mode, allowed_hosts: table.allowed_hosts ?? [], denied_hosts: [] };
}
