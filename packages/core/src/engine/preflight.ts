import { AgentCompassError } from "../error.ts";
import { buildExecutionPlan, checkEnvironment, selectProtocol, selectRecipes } from "../plan/index.ts";
import type { Benchmark, ComponentDescriptor, Environment, Harness, Recipe, TaskSpec } from "../plugin/index.ts";
import { checkAggregation, checkPlan } from "../result/index.ts";
import type { Params, ResolvedRequest } from "../spec/resolved.ts";
import type { EngineDeps } from "./deps.ts";
import { refuseLaterOptions } from "./later-options.ts";
import { checkModelAddress } from "./model-address.ts";
import { parseParams } from "./params.ts";

/** A request whose components are loaded, fit together and accept their parameters. */
export type Checked = {
  readonly request: ResolvedRequest;
  readonly benchmark: Benchmark;
  readonly harness: Harness;
  readonly environment: Environment;
  readonly params: { readonly benchmark: Params; readonly harness: Params; readonly environment: Params };
  /** Protocol of the model's endpoint; undefined when the spec's model is `none`. */
  readonly protocol: string | undefined;
  /** Recipes that are tried on the plan of every task, in this order. */
  readonly recipes: readonly Recipe[];
  readonly warnings: readonly string[];
};

/**
 * Loads and checks the components of one request without touching data, network or disk (reference 3.8). Throws what is wrong
 * as `component.unavailable`, `component.invalid` or `report.refused`.
 */
export async function preflight(request: ResolvedRequest, deps: Pick<EngineDeps, "catalog">): Promise<Checked> {
  const { descriptors, params } = checkParams(request, deps);
  const [benchmark, harness, environment] = await Promise.all([
    available(descriptors.benchmark)(),
    available(descriptors.harness)(),
    available(descriptors.environment)(),
  ]);
  refuseLaterOptions(request);
  if (harness.needsModel) checkModelAddress(request.model);
  refuseFreshEvaluation(request, benchmark);
  return checkComponents(request, { benchmark, harness, environment, recipes: recipesOf(request, deps) }, params);
}

/**
 * The same checks for a dry run. A request that names a component of a later release is resolved and no more: its parameters are
 * checked when it can run.
 */
export async function checkDryRun(request: ResolvedRequest, deps: Pick<EngineDeps, "catalog">): Promise<void> {
  const descriptors = descriptorsOf(request, deps);
  const { protocols } = descriptors.harness;
  if (protocols) selectProtocol(request.model.api_protocol, protocols);
  const [benchmark, harness, environment] = await Promise.all([
    descriptors.benchmark.load?.(),
    descriptors.harness.load?.(),
    descriptors.environment.load?.(),
  ]);
  const recipes = recipesOf(request, deps);
  if (!benchmark || !harness || !environment) return;
  checkComponents(request, { benchmark, harness, environment, recipes }, checkParams(request, deps).params);
}

function recipesOf(request: ResolvedRequest, { catalog }: Pick<EngineDeps, "catalog">): readonly Recipe[] {
  return selectRecipes(catalog.recipes ?? [], request.execution.enabled_recipes);
}

type ParsedParams = Checked["params"];

function descriptorsOf(request: ResolvedRequest, { catalog }: Pick<EngineDeps, "catalog">) {
  return {
    benchmark: required(catalog.benchmark.get(request.benchmark.id), "benchmark", request.benchmark.id),
    harness: required(catalog.harness.get(request.harness.id), "harness", request.harness.id),
    environment: required(catalog.environment.get(request.environment.id), "environment", request.environment.id),
  };
}

function checkParams(request: ResolvedRequest, deps: Pick<EngineDeps, "catalog">) {
  const descriptors = descriptorsOf(request, deps);
  const params: ParsedParams = {
    benchmark: parseParams(descriptors.benchmark, request.benchmark.params),
    harness: parseParams(descriptors.harness, request.harness.params),
    environment: parseParams(descriptors.environment, request.environment.params),
  };
  return { descriptors, params };
}

function checkComponents(
  request: ResolvedRequest,
  components: Pick<Checked, "benchmark" | "harness" | "environment" | "recipes">,
  params: ParsedParams,
): Checked {
  const { benchmark, harness, environment } = components;
  checkPlan(benchmark.metrics, request.execution.attempts);
  checkAggregation(params.benchmark);
  checkFit(request, benchmark, harness, environment);
  const warnings = checkEnvironment(environment, planOfRequest(request, benchmark, harness, environment));
  return {
    request,
    ...components,
    params,
    protocol: harness.needsModel ? selectProtocol(request.model.api_protocol, harness.protocols) : undefined,
    warnings: [...warnings, ...exposure(harness, environment)],
  };
}

function required<T>(descriptor: ComponentDescriptor<T> | undefined, kind: string, id: string): ComponentDescriptor<T> {
  if (descriptor) return descriptor;
  throw new AgentCompassError("component.unknown", `${kind}.id: unknown ${kind} '${id}'`);
}

function available<T>(descriptor: ComponentDescriptor<T>): () => Promise<T> {
  if (descriptor.load) return descriptor.load;
  throw new AgentCompassError(
    "component.unavailable",
    `${descriptor.kind} '${descriptor.id}' is declared but comes with a later release; see 'agentcompass list ${descriptor.kind === "environment" ? "env" : descriptor.kind}' for what runs today`,
    { data: { kind: descriptor.kind, id: descriptor.id } },
  );
}

function checkFit(request: ResolvedRequest, benchmark: Benchmark, harness: Harness, environment: Environment): void {
  if (!harness.delivers.includes(benchmark.answer))
    throw invalid(
      `harness '${harness.id}' delivers ${harness.delivers.join(" or ")}, but benchmark '${benchmark.id}' looks at the ${benchmark.answer}; choose a harness that works in the environment`,
    );
  if (harness.environments && !harness.environments.includes(environment.id))
    throw invalid(
      `harness '${harness.id}' works in ${harness.environments.join(", ")}, not in environment '${environment.id}'`,
    );
  if (harness.needsModel && request.model.id === "none")
    throw invalid(`model.id: harness '${harness.id}' needs a model; 'none' fits only harnesses that call none`);
  const mode = request.environment.evaluation_environment_mode ?? benchmark.evaluationEnvironmentMode;
  if (mode === "none" && benchmark.evaluationEnvironmentMode === "reuse")
    throw invalid(
      `environment.evaluation_environment_mode: benchmark '${benchmark.id}' is evaluated in an environment; 'none' does not fit`,
    );
}

function refuseFreshEvaluation(request: ResolvedRequest, benchmark: Benchmark): void {
  const mode = request.environment.evaluation_environment_mode ?? benchmark.evaluationEnvironmentMode;
  if (mode === "fresh")
    throw new AgentCompassError(
      "component.unavailable",
      "environment.evaluation_environment_mode: 'fresh' comes with a later release; 'none' and 'reuse' work today",
    );
}

function planOfRequest(
  request: ResolvedRequest,
  benchmark: Benchmark,
  harness: Harness,
  environment: Environment,
): ReturnType<typeof buildExecutionPlan> {
  const task: TaskSpec = { task_id: "-", category: null, ground_truth: null, metadata: {} };
  return buildExecutionPlan({ request, task, benchmark, harness, environment });
}

function exposure(harness: Harness, environment: Environment): readonly string[] {
  return harness.runsCommands && environment.exposure ? [environment.exposure] : [];
}

function invalid(message: string): AgentCompassError {
  return new AgentCompassError("component.invalid", message);
}
