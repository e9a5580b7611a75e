/** What users may write of an environment, whichever provider it is. */
import { z } from "zod";
import { numeric, seconds, text, whole, word } from "./loose.ts";

const hosts = z.array(z.unknown()).optional();

export const PolicyFields = z.strictObject({
  network_mode: z
    .preprocess(word, z.enum(["public", "no-network", "allowlist", "denylist"]))
    .optional()
    .describe("What commands may reach. Default public."),
  allowed_hosts: hosts.describe("Hosts of an allowlist: name, *.name, address or CIDR, with an optional port."),
  denied_hosts: hosts.describe("Hosts of a denylist."),
});

/** A policy, or its network_mode alone. */
const policy = z
  .preprocess((value) => (typeof value === "string" ? { network_mode: value } : value), PolicyFields.nullable())
  .optional();

const mebibytes = numeric(z.number({ error: "must be a whole number of MiB above 0" }).int().positive());

export const ResourceFields = z.strictObject({
  cpu: numeric(z.number({ error: "must be a number above 0" }).finite().positive())
    .nullable()
    .optional()
    .describe("CPUs."),
  memory_mb: mebibytes.nullable().optional().describe("Memory, MiB."),
  storage_mb: mebibytes.nullable().optional().describe("Disk, MiB."),
  gpu: numeric(whole.nonnegative()).nullable().optional().describe("GPUs."),
  gpu_type: z.string().min(1).nullable().optional().describe("Kind of GPU; implies one."),
  ignore_gpu_type: z.boolean().nullable().optional().describe("Take any kind of GPU."),
});

export const SetupFields = z.strictObject({
  image: z.string().trim().min(1).nullable().optional().describe("Container image."),
  build_timeout_seconds: seconds.nullable().optional().describe("Seconds to allocate the environment."),
  workdir: z
    .string()
    .regex(/^\//, "must be an absolute path")
    .nullable()
    .optional()
    .describe("Absolute working directory of commands."),
  os: z.enum(["linux", "windows"]).nullable().optional().describe("Operating system of the image: linux or windows."),
});

/** Null is an empty text. */
const variables = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "names must be letters, digits and _, not beginning with a digit"),
    z.preprocess((value) => value ?? "", text),
  )
  .nullable();

export const EnvironmentFields = z.strictObject({
  setup: SetupFields.nullable().optional().describe("How the environment is made."),
  evaluation_setup: SetupFields.nullable().optional().describe("The same for a fresh evaluation environment."),
  resources: ResourceFields.nullable().optional().describe("What the environment must have."),
  run_resources: ResourceFields.nullable().optional().describe("What the run needs on top."),
  evaluation_resources: ResourceFields.nullable().optional().describe("What a fresh evaluation needs."),
  baseline_network_policy: policy.describe("What may be reached outside run and evaluation."),
  evaluation_baseline_network_policy: policy.describe("The same for a fresh evaluation environment."),
  run_network_policy: policy.describe("What the agent may reach."),
  evaluation_network_policy: policy.describe("What the evaluation may reach."),
  evaluation_environment_mode: z
    .preprocess(word, z.enum(["none", "reuse", "fresh"]).nullable())
    .optional()
    .describe("Where the evaluation runs; default as the benchmark says."),
  env_variables: variables
    .optional()
    .describe("Environment variables of every command; ${NAME} and ${NAME:-default} may stand inside a text."),
  run_env_variables: variables.optional().describe("Environment variables of the run."),
  evaluation_env_variables: variables.optional().describe("Environment variables of the evaluation."),
  evaluation_environment_env_variables: variables
    .optional()
    .describe("Environment variables of a fresh evaluation environment."),
  require_startup_env: z
    .boolean()
    .nullable()
    .optional()
    .describe("Variables must be set when the environment starts. Default false."),
});
