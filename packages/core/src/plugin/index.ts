export type * from "./benchmark.ts";
export {
  type Catalog,
  COMPONENT_KINDS,
  type ComponentDescriptor,
  type ComponentFile,
  type ComponentKind,
  OWN_COMPONENT_KINDS,
  type OwnComponent,
  type OwnComponentKind,
} from "./component.ts";
export { defineBenchmark, defineEnvironment, defineHarness, defineRecipe, defineScorer, z } from "./define.ts";
export type {
  BenchmarkDefinition,
  EnvironmentDefinition,
  HarnessDefinition,
  OwnDefinition,
  ParamsSchema,
  ParsedParams,
  RecipeDefinition,
  ScorerDefinition,
  TaskDefinition,
  TaskList,
} from "./definition.ts";
export type { Environment, EnvironmentSession, ExecAsk, ExecResult, OpenAsk } from "./environment.ts";
export { EnvironmentFailure } from "./environment.ts";
export { StageFailure } from "./failure.ts";
export type { CollectAsk, Collected, Harness, HarnessRun, RunAsk } from "./harness.ts";
export type {
  ChatMessage,
  CostSource,
  Model,
  ModelAnswer,
  ModelAsk,
  ModelFailureCode,
  ModelFailureReason,
  ModelUsage,
  ProviderItems,
  ToolCall,
} from "./model.ts";
export { assistantMessage, ModelFailure } from "./model.ts";
export type { Recipe } from "./recipe.ts";
export { answerText, textTask } from "./text-task.ts";
