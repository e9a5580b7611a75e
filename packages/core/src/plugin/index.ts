export type * from "./benchmark.ts";
export { type Catalog, COMPONENT_KINDS, type ComponentDescriptor, type ComponentKind } from "./component.ts";
export type { Environment, EnvironmentSession, ExecAsk, ExecResult, OpenAsk } from "./environment.ts";
export { EnvironmentFailure } from "./environment.ts";
export { StageFailure } from "./failure.ts";
export type { Harness, HarnessRun, RunAsk } from "./harness.ts";
export type {
  ChatMessage,
  Model,
  ModelAnswer,
  ModelAsk,
  ModelFailureReason,
  ModelUsage,
  ToolCall,
} from "./model.ts";
export { ModelFailure } from "./model.ts";
