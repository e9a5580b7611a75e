import { resolve as resolvePath } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import type { Catalog } from "@agentcompass/core/plugin";
import {
  dropUndefined,
  orchestrationFromRun,
  parseYaml,
  type ResolveAsk,
  type ResolvedOrchestration,
  type ResolvedRequest,
  resolveOrchestration,
  sanitizeName,
  unknownLimits,
} from "@agentcompass/core/spec";
import type { NamedFile } from "@agentcompass/runner/catalog";
import { components } from "./catalog.ts";
import { readTextFile } from "./config-files.ts";
import { configLayersOf } from "./config-layers.ts";
import type { LaunchOptions, RunEvaluationOptions } from "./options.ts";
import { filesOfConfig, filesOfOptions, filesOfSpec, withFiles, withRecipeFolders } from "./own-components.ts";
import { withOptionName } from "./run-option-names.ts";
import { toSnakeCase } from "./snake-case.ts";

/** What may be launched: a file, its parsed content, or an orchestration that was resolved before. */
export type LaunchSpec = { readonly file: string } | ResolvedOrchestration | Readonly<Record<string, unknown>>;

export type Resolved = { readonly orchestration: ResolvedOrchestration; readonly catalog: Catalog };

/** Reads and resolves what is to be launched; every mistake in it is one AgentCompassError. */
export async function resolveLaunch(spec: LaunchSpec, options: LaunchOptions): Promise<Resolved> {
  if (isResolved(spec)) {
    const catalog = await catalogOf(options, filesOfSpec(spec));
    return resolved(overResolved(spec, options, catalog), catalog);
  }
  const configLayers = await configLayersOf(options);
  const source = await sourceOf(spec);
  const catalog = await catalogOf(options, [...filesOfConfig(configLayers), ...filesOfSource(source)]);
  const orchestration = resolveOrchestration({
    ...source,
    configLayers,
    env: process.env,
    overrides: {
      ...dropUndefined({ task_concurrency: options.taskConcurrency, run_id: options.runId, reuse: options.reuse }),
      runtime: runtimeOverrides(options),
    },
    catalog,
    ids: { hex: randomHex },
  });
  return resolved(orchestration, catalog);
}

type Source = { readonly file: { readonly name: string; readonly text: string } } | { readonly value: unknown };

async function sourceOf(spec: Exclude<LaunchSpec, ResolvedOrchestration>): Promise<Source> {
  if (!isFile(spec)) return { value: toSnakeCase(spec) };
  return { file: { name: spec.file, text: await readTextFile(resolvePath(spec.file), "orchestration file") } };
}

/** Only a text with that word can name component files; any other is parsed once, with everything else. */
function filesOfSource(source: Source): readonly NamedFile[] {
  if (!("file" in source)) return filesOfSpec(source.value);
  const { name, text } = source.file;
  return text.includes("components") ? filesOfSpec(parseYaml(text, name).value, name) : [];
}

/** Resolves the options of one evaluation into an orchestration of one request named `run`. */
export async function resolveRun(options: RunEvaluationOptions): Promise<Resolved> {
  const configLayers = await configLayersOf(options);
  const catalog = await catalogOf(options, filesOfConfig(configLayers));
  const orchestration = resolveNamed(options, {
    ...orchestrationFromRun(runOptions(options)),
    configLayers,
    env: process.env,
    overrides: {
      ...dropUndefined({ task_concurrency: options.taskConcurrency }),
      runtime: runtimeOverrides(options),
    },
    catalog,
    ids: { hex: randomHex },
  });
  return resolved(orchestration, catalog);
}

function resolveNamed(options: RunEvaluationOptions, ask: ResolveAsk): ResolvedOrchestration {
  try {
    return resolveOrchestration(ask);
  } catch (error) {
    throw withOptionName(error, options);
  }
}

function randomHex(): string {
  return globalThis.crypto.randomUUID().replaceAll("-", "");
}

/** What the caller gives or what is built in, with the components of files. */
async function catalogOf(options: LaunchOptions, files: readonly NamedFile[]): Promise<Catalog> {
  return withFiles(options.catalog ?? (await components()), [...files, ...filesOfOptions(options)]);
}

/** What is resolved with its catalog: the recipes of folders in it, and the files in the orchestration. */
async function resolved(orchestration: ResolvedOrchestration, catalog: Catalog): Promise<Resolved> {
  const paths = (catalog.files ?? []).map((file) => file.path);
  return {
    orchestration: paths.length === 0 ? orchestration : { ...orchestration, components: paths },
    catalog: await withRecipeFolders(catalog, orchestration),
  };
}

function isFile(spec: LaunchSpec): spec is { readonly file: string } {
  return "file" in spec && typeof spec["file"] === "string";
}

function isResolved(spec: LaunchSpec): spec is ResolvedOrchestration {
  return "orchestration_id" in spec && "warnings" in spec;
}

/** Options over an orchestration that was resolved before: only what belongs to the run as a whole. */
function overResolved(spec: ResolvedOrchestration, options: LaunchOptions, catalog: Catalog): ResolvedOrchestration {
  if (options.configPath !== undefined)
    throw new AgentCompassError(
      "usage.invalid",
      "configPath: a resolved orchestration takes no configuration; give configPath when it is resolved",
    );
  if (options.reuse !== undefined)
    throw new AgentCompassError(
      "usage.invalid",
      "reuse: a resolved orchestration says for each request whether it reuses; give reuse when it is resolved",
    );
  const { provider_limits, env_open_qps, ...scalars } = runtimeOverrides(options);
  return {
    ...spec,
    requests: spec.requests.map((request) => withRunId(request, options.runId)),
    task_concurrency: options.taskConcurrency ?? spec.task_concurrency,
    runtime: {
      ...spec.runtime,
      ...scalars,
      provider_limits: { ...spec.runtime.provider_limits, ...provider_limits },
      env_open_qps: { ...spec.runtime.env_open_qps, ...env_open_qps },
    } as ResolvedOrchestration["runtime"],
    warnings: [...spec.warnings, ...unknownLimits(dropUndefined({ provider_limits, env_open_qps }), catalog)],
  };
}

function withRunId(request: ResolvedRequest, runId: string | undefined): ResolvedRequest {
  return runId === undefined ? request : { ...request, output: { ...request.output, run_id: sanitizeName(runId) } };
}

type Overrides = {
  readonly provider_limits?: Readonly<Record<string, number>>;
  readonly env_open_qps?: Readonly<Record<string, number>>;
} & Readonly<Record<string, unknown>>;

function runtimeOverrides(options: LaunchOptions & { readonly recipeDirs?: readonly string[] }): Overrides {
  return dropUndefined({
    results_dir: options.resultsDir,
    data_dir: options.dataDir,
    timeout_seconds: options.timeoutSeconds,
    cleanup_grace_seconds: options.cleanupGraceSeconds,
    progress: options.progress,
    log_level: options.logLevel,
    file_log_level: options.fileLogLevel,
    log_file: options.logFile,
    auto_install_dependencies: options.autoInstallDependencies ?? autoInstallFromEnv(),
    provider_limits: options.providerLimits,
    env_open_qps: options.envOpenQps,
    recipe_dirs: options.recipeDirs,
  });
}

/** AGENTCOMPASS_AUTO_INSTALL_DEPENDENCIES, between the explicit option and the configuration (reference 2.9). */
function autoInstallFromEnv(): boolean | undefined {
  const name = "AGENTCOMPASS_AUTO_INSTALL_DEPENDENCIES";
  const value = process.env[name]?.trim().toLowerCase();
  if (value === undefined || value === "") return undefined;
  if (["1", "true", "yes", "on"].includes(value)) return true;
  if (["0", "false", "no", "off"].includes(value)) return false;
  throw new AgentCompassError(
    "usage.invalid",
    `${name}: found '${value}'; allowed are 1, true, yes, on, 0, false, no, off`,
  );
}

function runOptions(options: RunEvaluationOptions): Readonly<Record<string, unknown>> {
  return dropUndefined({
    benchmark: options.benchmark,
    harness: options.harness,
    model: options.model,
    environment: options.environment,
    benchmark_params: options.benchmarkParams,
    harness_params: options.harnessParams,
    environment_params: options.environmentParams,
    model_params: options.modelParams,
    analysis_params: options.analysisParams,
    execution_params: options.executionParams,
    model_base_url: options.modelBaseUrl,
    model_api_key: options.modelApiKey,
    wrap_api_key: options.wrapApiKey,
    model_api_protocol: options.modelApiProtocol,
    k: options.k,
    attempt_strategy: options.attemptStrategy,
    max_retries: options.maxRetries,
    retry_pattern_list: options.retryPatternList,
    enabled_recipes: options.enabledRecipes,
    run_name: options.runName,
    run_id: options.runId,
    reuse: options.reuse,
    reuse_run_id: options.reuseRunId,
    checkpoint_resume: options.checkpointResume,
    keep_environment: options.keepEnvironment,
    enable_analysis: options.enableAnalysis,
  });
}
