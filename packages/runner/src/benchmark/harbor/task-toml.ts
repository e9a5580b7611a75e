import { AgentCompassError, errorText } from "@agentcompass/core";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { memoryMb } from "./memory-size.ts";

const VERSIONS = ["1.0", "1.1", "1.2", "1.3", "1.4"];
const seconds = z.number().positive();
const Environment = z.record(z.string(), z.string());
const Network = { network_mode: z.enum(["public", "no-network", "allowlist"]), allowed_hosts: z.array(z.string()) };
const size = z.union([z.number().positive(), z.string()]).transform((value, context) => {
  const megabytes = memoryMb(value);
  if (megabytes !== undefined) return megabytes;
  context.addIssue({ code: "custom", message: "is no size; write 2048 (MiB) or 2G" });
  return z.NEVER;
});

const Known = z.object({
  schema_version: z.string(),
  version: z.string(),
  source: z.string(),
  task: z.record(z.string(), z.unknown()),
  metadata: z.looseObject({ category: z.string(), difficulty: z.string() }).partial(),
  verifier: z.object({ timeout_sec: seconds, env: Environment, environment_mode: z.string(), ...Network }).partial(),
  agent: z.object({ timeout_sec: seconds, ...Network }).partial(),
  environment: z
    .object({
      build_timeout_sec: seconds,
      docker_image: z.string(),
      workdir: z.string(),
      os: z.string(),
      cpus: z.number().positive(),
      memory_mb: size,
      memory: size,
      storage_mb: size,
      storage: size,
      gpus: z.number().min(0),
      allow_internet: z.boolean(),
      env: Environment,
      ...Network,
    })
    .partial(),
  solution: z.object({ env: Environment }).partial(),
  steps: z.array(z.unknown()),
});

const TaskToml = Known.partial();
/** What is used of a task.toml, of schema 1.0 to 1.4. */
export type TaskToml = z.infer<typeof TaskToml>;

/**
 * Reads a task.toml. `unused` names the fields that play no part here. Throws AgentCompassError `benchmark.data_invalid` naming
 * file and field.
 */
export function parseTaskToml(
  path: string,
  text: string,
): { readonly toml: TaskToml; readonly unused: readonly string[] } {
  const raw = parseText(path, text);
  const parsed = TaskToml.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(path, `${issue?.path.map(String).join(".")}: ${issue?.message}`);
  }
  const toml = parsed.data;
  const version = toml.schema_version ?? toml.version ?? "1.0";
  if (!VERSIONS.includes(version))
    throw invalid(path, `schema_version ${JSON.stringify(version)} is not known; known are ${VERSIONS.join(", ")}`);
  if (toml.steps && toml.steps.length > 0) throw invalid(path, "steps: tasks of several steps cannot be run");
  if (toml.verifier?.environment_mode === "separate")
    throw invalid(path, "verifier.environment_mode: a verifier with an environment of its own cannot be run");
  return { toml, unused: unusedFields(raw) };
}

function parseText(path: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    const where = error instanceof TomlError ? `${path}:${error.line}` : path;
    throw invalid(where, `not TOML: ${errorText(error).split("\n", 1)[0]}`);
  }
}

function unusedFields(raw: Readonly<Record<string, unknown>>): readonly string[] {
  const unused: string[] = [];
  for (const [table, value] of Object.entries(raw)) {
    const schema = table in Known.shape ? TaskToml.shape[table as keyof TaskToml].unwrap() : undefined;
    if (schema === undefined) unused.push(table);
    else if (table !== "metadata" && schema instanceof z.ZodObject && typeof value === "object" && value !== null)
      unused.push(...Object.keys(value).flatMap((key) => (key in schema.shape ? [] : [`${table}.${key}`])));
  }
  return unused;
}

function invalid(where: string, reason: string): AgentCompassError {
  return new AgentCompassError("benchmark.data_invalid", `${where}: ${reason}`);
}
