import { z } from "zod";
import { isPlainObject } from "../record/json.ts";
import { EXECUTION_DEFAULTS } from "./defaults.ts";
import { ExecutionFields } from "./fields.ts";
import { mergeLayers, withoutNulls } from "./merge.ts";
import { type Prices, PricesFields, PricesLayer } from "./prices.ts";
import { type Env, resolveReferences } from "./reference.ts";
import { parseFields, refuse, requireMapping, shown, unknownField } from "./validate.ts";
import { settleWholeFloats } from "./whole-float.ts";

/** One configuration file, parsed. */
export type ConfigLayer = {
  readonly path: string;
  readonly value: unknown;
  readonly warnings?: readonly string[];
  /** As parseYaml tells them. */
  readonly wholeFloats?: readonly string[];
};

/** All configuration files, merged and checked; references are resolved but in environment maps. */
export type Config = {
  readonly runtime: Readonly<Record<string, unknown>>;
  readonly execution: Readonly<Record<string, unknown>>;
  /** By kind, then id. */
  readonly components: Readonly<Record<"benchmark" | "harness", Readonly<Record<string, unknown>>>>;
  /** Layers of one environment, lowest first: its shared fields are merged by kind, file by file. */
  readonly environmentLayers: (id: string) => readonly Readonly<Record<string, unknown>>[];
  /** What models cost, by their id. */
  readonly prices: Prices;
  readonly warnings: readonly string[];
};

const SECTIONS = ["runtime", "execution", "benchmarks", "harnesses", "environments", "prices"] as const;

/** Read by itself, before ids are looked up: see component-paths.ts. */
const COMPONENTS = "components";

/** Merges configuration files, lowest first (reference 2.2 to 2.7). Throws `config.invalid` naming file, section and field. */
export function mergeConfigLayers(layers: readonly ConfigLayer[], env: Env): Config {
  const warnings = layers.flatMap((layer) => [...(layer.warnings ?? [])]);
  const files = layers.map((layer) => ({ path: layer.path, value: checkLayer(layer, warnings) }));
  const merged = mergeLayers(...files.map((file) => withoutEnvironments(file.value)));
  const resolved = resolveReferences(merged, env, { path: "", code: "config.invalid" });
  const section = (name: string): Record<string, unknown> => {
    const value = isPlainObject(resolved) ? resolved[name] : undefined;
    return isPlainObject(value) ? value : {};
  };
  return {
    runtime: section("runtime"),
    execution: parseFields(ExecutionFields.extend({ task_concurrency: concurrency() }), section("execution"), {
      path: "execution",
      code: "config.invalid",
    }),
    components: { benchmark: section("benchmarks"), harness: section("harnesses") },
    prices: parseFields(PricesFields, withoutNulls(section("prices")), { path: "prices", code: "config.invalid" }),
    environmentLayers: (id) => environmentLayers(files, id, env),
    warnings,
  };
}

function concurrency() {
  const asNumber = (value: unknown) => (typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value);
  return z
    .preprocess(asNumber, z.number().int().min(1))
    .optional()
    .describe("Tasks at once over all requests. Default 32.");
}

function withoutEnvironments(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { environments: _environments, ...rest } = value;
  return rest;
}

function checkLayer(layer: ConfigLayer, warnings: string[]): Record<string, unknown> {
  const where = { file: layer.path, path: "", code: "config.invalid" as const };
  const value = requireMapping(settleWholeFloats(layer.value ?? {}, layer.wholeFloats ?? [], where), where);
  if ("models" in value)
    throw refuse(
      { ...where, path: "models" },
      "models are not configured here; give the model on the command line or in the orchestration file",
    );
  for (const key of Object.keys(value))
    if (key !== COMPONENTS && !SECTIONS.some((name) => name === key))
      warnings.push(`${layer.path}: section '${key}' is not known and is ignored`);
  for (const name of SECTIONS)
    if (value[name] !== undefined && value[name] !== null) checkSection(name, value[name], where);
  return value;
}

function checkSection(
  name: (typeof SECTIONS)[number],
  value: unknown,
  where: { file: string; path: string; code: "config.invalid" },
): void {
  const section = requireMapping(value, { ...where, path: name });
  if (name === "execution") checkExecution(section, where);
  else if (name === "runtime") checkRuntime(section, where);
  else if (name === "prices") parseFields(PricesLayer, section, { ...where, path: name });
  else for (const [id, params] of Object.entries(section)) checkComponent(params, { ...where, path: `${name}.${id}` });
}

function checkComponent(params: unknown, where: { file: string; path: string; code: "config.invalid" }): void {
  if (params === null) return;
  const fields = requireMapping(params, where);
  if ("id" in fields) throw refuse(where, "unknown parameter 'id': the id is the name of the section");
  if ("params" in fields)
    throw refuse(where, "'params' is not a section here; write the parameters directly below the id");
}

function checkExecution(
  section: Record<string, unknown>,
  where: { file: string; path: string; code: "config.invalid" },
): void {
  const known = ["task_concurrency", ...Object.keys(EXECUTION_DEFAULTS)];
  const unknown = Object.keys(section).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw unknownField({ ...where, path: "execution" }, unknown, known);
}

function checkRuntime(
  section: Record<string, unknown>,
  where: { file: string; path: string; code: "config.invalid" },
): void {
  const install = section["auto_install_dependencies"];
  if (install !== undefined && typeof install !== "boolean")
    throw refuse(
      { ...where, path: "runtime.auto_install_dependencies" },
      `must be true or false, found ${shown(install)}`,
    );
  const folders = section["recipe_dirs"];
  const isTexts = Array.isArray(folders) && folders.every((folder) => typeof folder === "string");
  if (folders !== undefined && !isTexts)
    throw refuse({ ...where, path: "runtime.recipe_dirs" }, `must be a list of paths, found ${shown(folders)}`);
}

/** A null section or entry in a later file clears what earlier files say of it (reference 3.5). */
function environmentLayers(
  files: readonly { readonly path: string; readonly value: Readonly<Record<string, unknown>> }[],
  id: string,
  env: Env,
): readonly Readonly<Record<string, unknown>>[] {
  let layers: Record<string, unknown>[] = [];
  for (const { path, value } of files) {
    const section = value["environments"];
    if (section === null) layers = [];
    if (!isPlainObject(section) || !(id in section)) continue;
    const fields = section[id];
    if (fields === null) layers = [];
    if (!isPlainObject(fields)) continue;
    const where = { file: path, path: `environments.${id}`, code: "config.invalid" as const };
    const resolved = resolveReferences(fields, env, where, true);
    if (isPlainObject(resolved)) layers.push(resolved);
  }
  return layers;
}
