import { isPlainObject } from "../record/json.ts";
import { RUNTIME_DEFAULTS } from "./defaults.ts";
import { RuntimeFields } from "./fields.ts";
import { mergeLayers, withoutBlanks, withoutNulls } from "./merge.ts";
import type { RuntimeOptions } from "./resolved.ts";
import { parseFields } from "./validate.ts";

/** Keys of a configuration's `runtime` that belong to requests. */
const REQUEST_KEYS = new Set(["reuse", "reuse_run_id", "checkpoint_resume"]);

export type RuntimeLayers = {
  readonly config: Readonly<Record<string, unknown>>;
  readonly file: unknown;
  readonly overrides: unknown;
  readonly fileName: string | undefined;
};

/** built-in <- configuration <- file <- overrides; limits key by key, negative ones count as 0 (reference 3.4, 2.5). */
export function resolveRuntime(layers: RuntimeLayers, warnings: string[]): RuntimeOptions {
  const file = parseLayer(layers.file, layers.fileName);
  const config = parseLayer(knownKeys(layers.config, warnings), undefined);
  const overrides = parseLayer(isPlainObject(layers.overrides) ? withoutNulls(layers.overrides) : {}, undefined);
  const merged = mergeLayers(RUNTIME_DEFAULTS, withoutNulls(config), withoutNulls(file), overrides) as RuntimeOptions;
  return {
    ...merged,
    file_log_level: merged.file_log_level ?? RUNTIME_DEFAULTS.file_log_level,
    recipe_dirs: merged.recipe_dirs.filter((folder) => folder.trim() !== ""),
    provider_limits: clamped(merged.provider_limits),
    env_open_qps: clamped(merged.env_open_qps),
  };
}

function parseLayer(layer: unknown, file: string | undefined): Record<string, unknown> {
  if (layer === undefined || layer === null) return {};
  return parseFields(RuntimeFields, isPlainObject(layer) ? withoutBlanks(layer) : layer, {
    path: "runtime",
    ...(file !== undefined && { file }),
  });
}

function knownKeys(config: Readonly<Record<string, unknown>>, warnings: string[]): Record<string, unknown> {
  const known = new Set(Object.keys(RuntimeFields.shape));
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config))
    if (known.has(key)) kept[key] = value;
    else if (!REQUEST_KEYS.has(key)) warnings.push(`configuration: runtime.${key} is not known and is ignored`);
  return kept;
}

function clamped(limits: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(limits).map(([id, limit]) => [id, Math.max(0, limit)]));
}
