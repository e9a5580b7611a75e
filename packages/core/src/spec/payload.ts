import { AgentCompassError } from "../error.ts";
import type { Catalog } from "../plugin/component.ts";
import { isPlainObject } from "../record/json.ts";
import { type ConfigLayer, mergeConfigLayers } from "./config.ts";
import { DEFAULT_CONCURRENCY, EXECUTION_DEFAULTS } from "./defaults.ts";
import { EnvironmentFields } from "./fields.ts";
import { mergeLayers } from "./merge.ts";
import { nearest } from "./nearest.ts";
import { redact } from "./redact.ts";
import type { Env } from "./reference.ts";
import type { ResolvedOrchestration } from "./resolved.ts";
import { resolveRuntime } from "./runtime.ts";
import { YamlTimestamp } from "./yaml-scalar.ts";

/** What a dry run prints: everything resolved, secrets redacted, in the key order of reference 3.9. */
export function dryRunPayload(orchestration: ResolvedOrchestration): object {
  const { warnings: _warnings, asks_analysis: _asked, requests, ...rest } = orchestration;
  return plainJson({
    ...rest,
    requests: requests.map((request) => {
      const { id, params, ...shared } = request.environment;
      return { ...request, environment: { ...shared, id, params } };
    }),
  });
}

/** Redacted, and as JSON holds it: a date is its text. */
function plainJson(value: object): object {
  return withDateTexts(redact(value)) as object;
}

function withDateTexts(value: unknown): unknown {
  if (value instanceof YamlTimestamp) return value.text;
  if (Array.isArray(value)) return value.map(withDateTexts);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDateTexts(item)]));
}

export type ConfigAsk = {
  readonly catalog: Catalog;
  readonly configLayers: readonly ConfigLayer[];
  readonly env: Env;
  readonly benchmark: readonly string[];
  readonly harness: readonly string[];
  readonly environment: readonly string[];
};

/** What `config show` prints: runtime and execution over their defaults, the named components over theirs, prices; redacted. */
export function configPayload(ask: ConfigAsk): object {
  const config = mergeConfigLayers(ask.configLayers, ask.env);
  const runtime = resolveRuntime(
    { config: config.runtime, file: undefined, overrides: undefined, fileName: undefined },
    [],
  );
  const pick = (kind: "benchmark" | "harness"): object =>
    Object.fromEntries(
      ask[kind].map((id) => [id, mergeLayers(defaultsOf(ask, kind, id), config.components[kind][id])]),
    );
  const environments = Object.fromEntries(
    ask.environment.map((id) => [id, mergeLayers(defaultsOf(ask, "environment", id), ...config.environmentLayers(id))]),
  );
  return redact({
    runtime: {
      ...runtime,
      reuse: config.runtime["reuse"] ?? false,
      checkpoint_resume: config.runtime["checkpoint_resume"] ?? true,
    },
    execution: mergeLayers({ task_concurrency: DEFAULT_CONCURRENCY, ...EXECUTION_DEFAULTS }, config.execution),
    ...(ask.benchmark.length > 0 && { benchmarks: pick("benchmark") }),
    ...(ask.harness.length > 0 && { harnesses: pick("harness") }),
    ...(ask.environment.length > 0 && { environments }),
    ...(Object.keys(config.prices).length > 0 && { prices: config.prices }),
  });
}

function defaultsOf(ask: ConfigAsk, kind: "benchmark" | "harness" | "environment", id: string): object {
  const descriptor = ask.catalog[kind].get(id);
  const known = [...ask.catalog[kind].keys()].sort();
  const guess = nearest(id, known);
  if (!descriptor)
    throw new AgentCompassError(
      "component.unknown",
      `unknown ${kind} '${id}'${guess ? `; did you mean '${guess}'?` : ""} (known: ${known.join(", ")})`,
    );
  const own: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(descriptor.params.shape)) {
    const parsed = (schema as { safeParse(value: unknown): { success: boolean; data?: unknown } }).safeParse(undefined);
    if (parsed.success && parsed.data !== undefined) own[name] = parsed.data;
  }
  return kind === "environment"
    ? { ...Object.fromEntries(Object.keys(EnvironmentFields.shape).map((name) => [name, null])), ...own }
    : own;
}
