import { isPlainObject } from "../record/json.ts";
import { EXECUTION_DEFAULTS } from "./defaults.ts";
import { ExecutionFields } from "./fields.ts";
import { mergeLayers } from "./merge.ts";
import { type Env, resolveReferences } from "./reference.ts";
import type { ExecutionSpec } from "./resolved.ts";
import { parseFields, refuse, shown, type Where } from "./validate.ts";

/** Merges execution layers over the defaults, lowest first, and checks what only the whole can show (reference 2.4). */
export function resolveExecution(
  layers: readonly unknown[],
  concurrency: number,
  env: Env,
  where: Where,
): ExecutionSpec {
  const merged = mergeLayers(EXECUTION_DEFAULTS, ...layers.map(ownFields));
  const parsed = parseFields(ExecutionFields, merged, where);
  const execution = { ...EXECUTION_DEFAULTS, ...parsed, task_concurrency: concurrency } as ExecutionSpec;
  if (execution.retry_max_delay_seconds < execution.retry_min_delay_seconds)
    throw refuse(
      at(where, "retry_max_delay_seconds"),
      `must not be below retry_min_delay_seconds (${execution.retry_min_delay_seconds}), found ${execution.retry_max_delay_seconds}`,
    );
  const analysis = resolveReferences(execution.analysis_params, env, at(where, "analysis_params"));
  return {
    ...execution,
    max_retries: Math.max(0, execution.max_retries),
    fatal_task_limit: Math.max(0, execution.fatal_task_limit),
    retry_pattern_list: patterns(execution.retry_pattern_list, at(where, "retry_pattern_list")),
    analysis_params: isPlainObject(analysis) ? analysis : {},
  };
}

function at(where: Where, field: string): Where {
  return { ...where, path: `${where.path}.${field}` };
}

/** Fields for which null means: as if it were not there. */
const NULL_IS_ABSENT = new Set(["analysis_params", "artifact_limits", "enabled_recipes"]);

function ownFields(layer: unknown): unknown {
  if (!isPlainObject(layer)) return layer;
  return Object.fromEntries(
    Object.entries(layer).filter(
      ([key, value]) => key !== "task_concurrency" && !(value === null && NULL_IS_ABSENT.has(key)),
    ),
  );
}

function patterns(list: readonly unknown[] | null, where: Where): readonly string[] | null {
  if (list === null) return null;
  return list.map((item) => {
    const text = String(item);
    try {
      new RegExp(text);
      return text;
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unreadable";
      throw refuse(where, `${shown(text)} is no regular expression: ${reason}`);
    }
  });
}
