export {
  type AttemptOutcome,
  type AttemptPorts,
  type AttemptStart,
  type Discarded,
  type Held,
  runAttempt,
  toAttemptResult,
} from "./attempt.ts";
export {
  allIssues,
  EMPTY_RUN,
  type EvaluationCheckpoint,
  type ExecutionContext,
  type ExecutionOutcome,
  type RunOutcome,
} from "./context.ts";
export { failedPlan } from "./execution.ts";
export { gradeFailure, type Stage, StageTimeout } from "./grade.ts";
export { type ModelContact, type ModelMeter, measureModel, newModelContact, newModelMeter } from "./measured-model.ts";
export { priceModel } from "./priced-model.ts";
export { backoffSeconds, decideRetry, type RetryDecision, type RetryPolicy, retryReason } from "./retry.ts";
export { runStage, type StageLimit } from "./stage.ts";
