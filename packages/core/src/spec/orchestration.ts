import type { ComponentKind } from "../plugin/component.ts";
import { isPlainObject } from "../record/json.ts";
import { type Config, mergeConfigLayers } from "./config.ts";
import { DEFAULT_CONCURRENCY } from "./defaults.ts";
import { OrchestrationFile } from "./fields.ts";
import { withoutBlanks } from "./merge.ts";
import { outputNamespace } from "./namespace.ts";
import { resolveReferences, undefinedReferences } from "./reference.ts";
import { resolveRequest } from "./request.ts";
import type { ResolveAsk } from "./resolve-ask.ts";
import type { ResolvedOrchestration, ResolvedRequest } from "./resolved.ts";
import { resolveRuntime } from "./runtime.ts";
import { unknownLimits } from "./unknown-limits.ts";
import { kindOf, parseFields, refuse, requireMapping, shown } from "./validate.ts";
import { settleWholeFloats } from "./whole-float.ts";
import { type ParsedYaml, parseYaml } from "./yaml.ts";

/**
 * Resolves an orchestration: references replaced, layers merged, defaults applied, ids known. Touches no data and no disk.
 * Throws `spec.invalid`, `config.invalid` or `component.unknown` in one line with the field's path.
 */
export function resolveOrchestration(ask: ResolveAsk): ResolvedOrchestration {
  const file = ask.file ? parseYaml(ask.file.text, ask.file.name) : withoutFile(ask);
  const where = { path: "", ...(ask.file && { file: ask.file.name }) };
  const config = mergeConfigLayers(ask.configLayers, ask.env);
  const settled = settleWholeFloats(file.value, file.wholeFloats, where);
  const root = prepareRoot(requireMapping(settled, where), ask, where);
  const content = parseFields(OrchestrationFile, root, where);
  const warnings = [...file.warnings, ...config.warnings, ...undefinedReferences(file.value, ask.env)];
  const runtime = resolveRuntime(
    { config: config.runtime, file: root["runtime"], overrides: ask.overrides.runtime, fileName: ask.file?.name },
    warnings,
  );
  warnings.push(...unknownLimits(runtime, ask.catalog));
  const concurrency = concurrencyOf(ask, content.task_concurrency, config);
  const orchestrationId = ask.ids.hex();
  const requests = content.requests.map((request, index) =>
    resolveRequest({
      ask,
      config,
      concurrency,
      orchestrationId,
      defaults: content.defaults ?? {},
      request,
      index,
      where,
      warnings,
    }),
  );
  refuseCollisions(requests, where);
  const prices = { ...config.prices, ...content.prices };
  return {
    orchestration_id: orchestrationId,
    name: content.name ?? "",
    task_concurrency: concurrency,
    runtime,
    requests,
    ...(Object.keys(prices).length > 0 && { prices }),
    ...(asksAnalysis([config, content.defaults, ...content.requests]) && { asks_analysis: true }),
    warnings,
  };
}

function asksAnalysis(layers: readonly ({ readonly execution?: unknown } | null | undefined)[]): boolean {
  return layers.some((layer) => isPlainObject(layer?.execution) && layer.execution["enable_analysis"] === true);
}

function withoutFile(ask: ResolveAsk): ParsedYaml {
  return { value: ask.value, warnings: [], wholeFloats: [] };
}

type Place = { readonly path: string; readonly file?: string };

/** Replaces references and accepts what is written loosely: numbers as names, whole numbers as text. */
function prepareRoot(value: Record<string, unknown>, ask: ResolveAsk, where: Place): Record<string, unknown> {
  if ("limits" in value)
    throw refuse(
      { ...where, path: "limits" },
      "limits on models and money come with a later release; remove the section",
    );
  const resolved = requireMapping(resolveReferences(value, ask.env, where), where);
  const requests = resolved["requests"];
  if (!Array.isArray(requests) || requests.length === 0)
    throw refuse(
      { ...where, path: "requests" },
      `must be a list with at least one request, found ${Array.isArray(requests) ? "an empty list" : kindOf(requests)}`,
    );
  for (const [index, request] of requests.entries()) refuseNestedParams(request, `requests[${index}]`, where);
  refuseNestedParams(resolved["defaults"], "defaults", where);
  return {
    ...resolved,
    ...(isPlainObject(resolved["runtime"]) && { runtime: withoutBlanks(resolved["runtime"]) }),
    ...("task_concurrency" in resolved && { task_concurrency: asWhole(resolved["task_concurrency"]) }),
    requests: requests.map((request, index) => withTextName(request, index, where)),
  };
}

function withTextName(request: unknown, index: number, where: Place): unknown {
  const fields = requireMapping(request, { ...where, path: `requests[${index}]` });
  const name = asText(fields["name"]);
  if (typeof name === "string" && name.trim() !== "") return { ...fields, name: name.trim() };
  throw refuse(
    { ...where, path: `requests[${index}].name` },
    `every request needs a name, found ${shown(fields["name"])}`,
  );
}

function asText(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "number" ? String(value) : value;
}

function asWhole(value: unknown): unknown {
  if (value === null) return undefined;
  return typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
}

function refuseNestedParams(section: unknown, path: string, where: Place): void {
  if (!isPlainObject(section)) return;
  for (const kind of ["benchmark", "harness", "environment"] satisfies ComponentKind[]) {
    const component = section[kind];
    if (isPlainObject(component) && "params" in component)
      throw refuse(
        { ...where, path: `${path}.${kind}` },
        "'params' is not a section here; write the parameters directly beside the id",
      );
  }
}

function concurrencyOf(ask: ResolveAsk, own: number | undefined, config: Config): number {
  const configured = config.execution["task_concurrency"];
  if (ask.overrides.task_concurrency !== undefined) return atLeastOne(ask.overrides.task_concurrency);
  if (own !== undefined) return own;
  return typeof configured === "number" ? atLeastOne(configured) : DEFAULT_CONCURRENCY;
}

function atLeastOne(value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw refuse({ path: "task_concurrency" }, `must be a whole number of at least 1, found ${shown(value)}`);
}

function refuseCollisions(requests: readonly ResolvedRequest[], where: Place): void {
  const names = new Map<string, number>();
  const directories = new Map<string, string>();
  for (const request of requests) {
    const path = `requests[${request.index}].name`;
    const before = names.get(request.name);
    if (before !== undefined)
      throw refuse(
        { ...where, path },
        `name '${request.name}' is used by requests[${before}] already; names must differ`,
      );
    names.set(request.name, request.index);
    const directory = outputNamespace(request);
    const other = directories.get(directory);
    if (other !== undefined)
      throw refuse(
        { ...where, path },
        `'${request.name}' and '${other}' would share the directory '${directory}'; choose names that differ in letters and digits`,
      );
    directories.set(directory, request.name);
  }
}
