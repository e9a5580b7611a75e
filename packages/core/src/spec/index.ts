export { componentPaths } from "./component-paths.ts";
export { type Config, type ConfigLayer, mergeConfigLayers } from "./config.ts";
export {
  ANALYSIS_DEFAULTS,
  DEFAULT_CONCURRENCY,
  ENV_OPEN_QPS,
  EXECUTION_DEFAULTS,
  PROVIDER_LIMITS,
  RUNTIME_DEFAULTS,
} from "./defaults.ts";
export { dropUndefined } from "./drop-undefined.ts";
export {
  AttemptsFields,
  DefaultsFields,
  EnvironmentFields,
  ExecutionFields,
  ModelFields,
  OrchestrationFile,
  OutputFields,
  PROTOCOLS,
  RequestFields,
  RequestRuntimeFields,
  RuntimeFields,
} from "./fields.ts";
export { outputNamespace, runDirectoryName, sanitizeName } from "./namespace.ts";
export { nearest } from "./nearest.ts";
export { resolveOrchestration } from "./orchestration.ts";
export { type ConfigAsk, configPayload, dryRunPayload } from "./payload.ts";
export { costOf, type Price, PriceFields, type Prices, PricesFields, priceOf } from "./prices.ts";
export { hiddenTexts, queryValues, REDACTED, redact, redactAddress, redactText } from "./redact.ts";
export { type Env, interpolateTaskEnv, type PlaceOf } from "./reference.ts";
export type { Overrides, ResolveAsk } from "./resolve-ask.ts";
export type {
  ArtifactLimits,
  Component,
  EnvironmentSetup,
  ExecutionSpec,
  ModelSpec,
  NetworkPolicy,
  Params,
  RequestOutput,
  RequestRuntime,
  ResolvedEnvironment,
  ResolvedOrchestration,
  ResolvedRequest,
  Resources,
  RuntimeOptions,
} from "./resolved.ts";
export { orchestrationFromRun, type RunOptions, type RunOrchestration } from "./run-request.ts";
export { unknownLimits } from "./unknown-limits.ts";
export { type ParsedYaml, parseYaml } from "./yaml.ts";
