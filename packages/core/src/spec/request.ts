import { AgentCompassError } from "../error.ts";
import type { Catalog, ComponentKind } from "../plugin/component.ts";
import { isPlainObject } from "../record/json.ts";
import type { Config } from "./config.ts";
import { mergeEnvironment } from "./environment.ts";
import { resolveExecution } from "./execution.ts";
import { OutputFields, RequestRuntimeFields } from "./fields.ts";
import { deepMerge, mergeLayers, withoutNulls } from "./merge.ts";
import { resolveModel } from "./model.ts";
import { sanitizeName } from "./namespace.ts";
import { nearest } from "./nearest.ts";
import type { ResolveAsk } from "./resolve-ask.ts";
import type { Component, RequestOutput, RequestRuntime, ResolvedEnvironment, ResolvedRequest } from "./resolved.ts";
import { joinPath, parseFields, refuse, unknownField, type Where } from "./validate.ts";

type Section = Readonly<Record<string, unknown>>;

export type RequestAsk = {
  readonly ask: ResolveAsk;
  readonly config: Config;
  readonly concurrency: number;
  readonly orchestrationId: string;
  readonly defaults: Section;
  readonly request: Section & { readonly name: string };
  readonly index: number;
  readonly where: Where;
  /** Gets one line for each oddity that is accepted. */
  readonly warnings: string[];
};

/** Resolves one request: its sections over the defaults over the configuration over what is built in. */
export function resolveRequest(given: RequestAsk): ResolvedRequest {
  const { ask, config, request, index } = given;
  checkName(given);
  const harness = component(given, "harness");
  return {
    key: `${given.orchestrationId}/${index}`,
    index,
    name: request.name,
    benchmark: component(given, "benchmark"),
    harness,
    environment: environment(given),
    model: resolveModel([given.defaults["model"], request["model"]], at(given, "model"), request.name),
    execution: execution(given),
    runtime: runtime(given),
    output: output(given),
    metadata: { ...(!ask.run && { request_name: request.name }), recipe_dirs: recipeDirs(ask, config) },
  };
}

function at(given: RequestAsk, section: string): Where {
  return { ...given.where, path: `requests[${given.index}].${section}` };
}

function checkName(given: RequestAsk): void {
  if (/^\.{1,2}$/.test(sanitizeName(given.request.name)))
    throw refuse(at(given, "name"), `'${given.request.name}' cannot name a directory; use letters and digits`);
}

function recipeDirs(ask: ResolveAsk, config: Config): unknown {
  return ask.overrides.runtime?.["recipe_dirs"] ?? config.runtime["recipe_dirs"] ?? [];
}

function sectionOf(value: unknown): Section {
  return isPlainObject(value) ? value : {};
}

/** A request that names an id takes it; the default's parameters stay below its own all the same (reference 3.3). */
function idOf(given: RequestAsk, kind: ComponentKind): string {
  const own = sectionOf(given.request[kind]);
  const inherited = sectionOf(given.defaults[kind]);
  const id = "id" in own ? own["id"] : inherited["id"];
  if (typeof id === "string" && id.trim() !== "") return id.trim();
  throw refuse(at(given, kind), `request '${given.request.name}' names no ${kind}; give ${kind}.id`);
}

function descriptorOf(given: RequestAsk, kind: ComponentKind, id: string) {
  const known: Catalog[ComponentKind] = given.ask.catalog[kind];
  const found = known.get(id);
  if (found) return found;
  const ids = [...known.keys()].sort();
  const guess = nearest(id, ids);
  throw new AgentCompassError(
    "component.unknown",
    `${given.where.file ? `${given.where.file}: ` : ""}${at(given, `${kind}.id`).path}: unknown ${kind} '${id}'${guess ? `; did you mean '${guess}'?` : ""} (known: ${ids.join(", ")})`,
    { data: { kind, id, known: ids } },
  );
}

function component(given: RequestAsk, kind: "benchmark" | "harness"): Component {
  const id = idOf(given, kind);
  descriptorOf(given, kind, id);
  const layers = [given.config.components[kind][id], given.defaults[kind], given.request[kind]];
  const { id: _id, ...params } = mergeLayers(...layers);
  return { id, params };
}

function environment(given: RequestAsk): ResolvedEnvironment {
  const id = idOf(given, "environment");
  const descriptor = descriptorOf(given, "environment", id);
  const where = at(given, "environment");
  const merged = mergeEnvironment([
    ...given.config.environmentLayers(id).map((fields) => ({
      fields,
      where: { path: `environments.${id}`, code: "config.invalid" as const },
    })),
    { fields: sectionOf(given.defaults["environment"]), where: { ...given.where, path: "defaults.environment" } },
    { fields: sectionOf(given.request["environment"]), where },
  ]);
  const known = Object.keys(descriptor.params.shape);
  const unknown = Object.keys(merged.params).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw unknownField({ ...where, path: `${where.path} (${id})` }, unknown, known);
  const mistake = descriptor.params.safeParse(withoutNulls(merged.params)).error?.issues[0];
  if (mistake)
    given.warnings.push(
      `${joinPath(where.path, mistake.path)}: ${mistake.message}; '${id}' will refuse it when it opens`,
    );
  return { ...merged, id };
}

function execution(given: RequestAsk): ResolvedRequest["execution"] {
  const { ask, config, concurrency, defaults, request } = given;
  const layers = [config.execution, defaults["execution"], request["execution"]];
  const resolved = resolveExecution(layers, concurrency, ask.env, at(given, "execution"));
  if (ask.analysisParams === undefined) return resolved;
  return { ...resolved, analysis_params: sectionOf(ask.analysisParams) };
}

function runtime(given: RequestAsk): RequestRuntime {
  const { config, defaults, request, ask } = given;
  const { reuse, checkpoint_resume } = config.runtime;
  const merged = mergeLayers(
    { reuse: false, reuse_run_id: "", checkpoint_resume: true },
    withoutNulls({ reuse, checkpoint_resume }),
    withoutNulls(sectionOf(defaults["runtime"])),
    ask.overrides.reuse === undefined ? {} : { reuse: ask.overrides.reuse },
    withoutNulls(sectionOf(request["runtime"])),
  );
  const fields = parseFields(RequestRuntimeFields, merged, at(given, "runtime"));
  const runId = (fields.reuse_run_id ?? "").trim();
  return {
    reuse: (fields.reuse ?? false) || runId !== "",
    reuse_run_id: runId,
    checkpoint_resume: fields.checkpoint_resume ?? true,
  };
}

function output(given: RequestAsk): RequestOutput {
  const merged = deepMerge(sectionOf(given.defaults["output"]), sectionOf(given.request["output"]));
  const fields = parseFields(OutputFields, withoutNulls(sectionOf(merged)), at(given, "output"));
  return { run_name: fields.run_name ?? "", run_id: (given.ask.overrides.run_id ?? fields.run_id ?? "").trim() };
}
