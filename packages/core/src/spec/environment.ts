import { isPlainObject } from "../record/json.ts";
import { EnvironmentFields } from "./fields.ts";
import { deepMerge, withoutNulls } from "./merge.ts";
import { networkPolicy } from "./network-policy.ts";
import type { ResolvedEnvironment } from "./resolved.ts";
import { parseFields, refuse, type Where } from "./validate.ts";

const SHARED = Object.keys(EnvironmentFields.shape);
const SETUPS = new Set(["setup", "evaluation_setup"]);
const RESOURCES = new Set(["resources", "run_resources", "evaluation_resources"]);
const POLICIES = new Set([
  "baseline_network_policy",
  "evaluation_baseline_network_policy",
  "run_network_policy",
  "evaluation_network_policy",
]);
const VARIABLES = new Set([
  "env_variables",
  "run_env_variables",
  "evaluation_env_variables",
  "evaluation_environment_env_variables",
]);

export type EnvironmentLayer = { readonly fields: Readonly<Record<string, unknown>>; readonly where: Where };
export type MergedEnvironment = Omit<ResolvedEnvironment, "id">;

/** Merges the layers of an environment, lowest first: shared fields by their kind, the provider's own deeply (reference 3.5). */
export function mergeEnvironment(layers: readonly EnvironmentLayer[]): MergedEnvironment {
  let shared: Record<string, unknown> = {};
  let params: unknown = {};
  for (const { fields, where } of layers) {
    const { own, given } = split(fields);
    shared = mergeShared(shared, parseFields(EnvironmentFields, given, where), where);
    params = deepMerge(params, own);
  }
  return { ...EMPTY, ...(shared as Partial<MergedEnvironment>), params: isPlainObject(params) ? params : {} };
}

const EMPTY: MergedEnvironment = {
  params: {},
  resources: {},
  run_resources: {},
  evaluation_resources: {},
  baseline_network_policy: null,
  evaluation_baseline_network_policy: null,
  run_network_policy: null,
  evaluation_network_policy: null,
  evaluation_environment_mode: null,
  env_variables: {},
  run_env_variables: {},
  evaluation_env_variables: {},
  evaluation_environment_env_variables: {},
  require_startup_env: false,
  setup: {},
  evaluation_setup: {},
};

function split(fields: Readonly<Record<string, unknown>>): {
  given: Record<string, unknown>;
  own: Record<string, unknown>;
} {
  const entries = Object.entries(fields).filter(([key]) => key !== "id");
  return {
    given: Object.fromEntries(entries.filter(([key]) => SHARED.includes(key))),
    own: Object.fromEntries(entries.filter(([key]) => !SHARED.includes(key))),
  };
}

function mergeShared(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
  where: Where,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(withoutNulls(over))) {
    const at = { ...where, path: `${where.path}.${key}` };
    merged[key] = mergeField(key, merged[key], value, at);
  }
  return merged;
}

function mergeField(key: string, base: unknown, value: unknown, where: Where): unknown {
  if (!isPlainObject(value)) return value;
  const before = isPlainObject(base) ? base : {};
  if (POLICIES.has(key)) return networkPolicy(value, where);
  if (RESOURCES.has(key)) return mergeResources(before, withoutNulls(value), where);
  if (SETUPS.has(key)) return { ...before, ...withoutNulls(value) };
  return VARIABLES.has(key) ? { ...before, ...value } : value;
}

/** A layer that wants no GPU, or any kind, drops what a lower layer said of the kind; a contradiction in one is refused. */
function mergeResources(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
  where: Where,
): Record<string, unknown> {
  const kind = over["gpu_type"];
  if (kind !== undefined && (over["gpu"] ?? base["gpu"]) === 0)
    throw refuse({ ...where, path: `${where.path}.gpu_type` }, "contradicts gpu: 0; give one of them");
  if (kind !== undefined && over["ignore_gpu_type"] === true)
    throw refuse({ ...where, path: `${where.path}.gpu_type` }, "contradicts ignore_gpu_type: true; give one of them");
  const kept: Record<string, unknown> = { ...base };
  if (over["gpu"] === 0 || over["ignore_gpu_type"] === true) delete kept["gpu_type"];
  if (over["gpu"] === 0 || kind !== undefined) delete kept["ignore_gpu_type"];
  const merged: Record<string, unknown> = { ...kept, ...over };
  if (merged["ignore_gpu_type"] === false) delete merged["ignore_gpu_type"];
  return merged;
}
