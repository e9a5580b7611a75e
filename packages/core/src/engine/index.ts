export type { CreateModelAsk, EngineDeps } from "./deps.ts";
export { type Orchestrated, orchestrate } from "./orchestrate.ts";
export {
  type OrchestrationResult,
  type OrchestrationStatus,
  orchestrationStatus,
  type RequestEnd,
  type RequestOutcome,
  type RequestStatus,
} from "./outcome.ts";
export { parseParams } from "./params.ts";
export { checkDryRun } from "./preflight.ts";
export { type Recomputed, recomputeSummary } from "./recompute.ts";
export { isLogged } from "./recorder.ts";
export { type Action, isFinished, nextAction, type RequestProgress } from "./schedule.ts";
export { Stopped } from "./stopped.ts";
export { readJson, readRunInfo, readStoredTasks, type StoredTask } from "./stored-run.ts";
export { createWriter, VIEW_INTERVAL_MS, type Writer } from "./writer.ts";
