export type { ErrorCode } from "@agentcompass/core";
export { ERROR_CODES } from "@agentcompass/core";
export type { OrchestrationStatus, RequestStatus } from "@agentcompass/core/engine";
export type { ProgressEvent } from "@agentcompass/core/event";
export type { ExecutionPlan } from "@agentcompass/core/plan";
export type {
  Benchmark,
  BenchmarkDefinition,
  Catalog,
  ChatMessage,
  CollectAsk,
  Collected,
  Environment,
  EnvironmentDefinition,
  EnvironmentSession,
  EvaluateAsk,
  Evaluation,
  ExecAsk,
  ExecResult,
  Harness,
  HarnessDefinition,
  HarnessRun,
  LoadAsk,
  Model,
  ModelAnswer,
  ModelAsk,
  OpenAsk,
  ParamsSchema,
  ParsedParams,
  PreparedTask,
  Recipe,
  RunAsk,
  ScorerDefinition,
  TaskAsk,
  TaskDefinition,
  TaskList,
  TaskSpec,
} from "@agentcompass/core/plugin";
export type { LogRecord } from "@agentcompass/core/port";
export type { ResolvedOrchestration, ResolvedRequest } from "@agentcompass/core/spec";
export { components } from "./catalog.ts";
export * from "./component-api.ts";
export { type ConfigShowOptions, configShow } from "./config-show.ts";
export { type Check, doctor } from "./doctor.ts";
export { dryRun, launch, runEvaluation, runOutcome } from "./launch.ts";
export type {
  LaunchOptions,
  OrchestrationResult,
  RequestOutcome,
  RunEvaluationOptions,
  RunResult,
} from "./options.ts";
export { type LaunchSpec, resolveLaunch, resolveRun } from "./resolve.ts";
export { type SummaryOptions, type SummaryReport, summary } from "./summary.ts";
export { VERSION } from "./version.ts";
