/**
 * What `agentcompass` is for a component file: this program's own functions and error classes. The package's main export hands them on,
 * so that an editor sees their types.
 */
export { AgentCompassError } from "@agentcompass/core";
export {
  answerText,
  assistantMessage,
  defineBenchmark,
  defineEnvironment,
  defineHarness,
  defineRecipe,
  defineScorer,
  EnvironmentFailure,
  ModelFailure,
  StageFailure,
  textTask,
  z,
} from "@agentcompass/core/plugin";
export { builtinEnvironment } from "./builtin-environment.ts";
