export {
  attemptResultDocument,
  CHECKPOINT_SCHEMA,
  EVALUATION_CHECKPOINT_SCHEMA,
  publishedTaskDocument,
  RETRY_SCHEMA,
  type RetryFacts,
  RUN_INFO_SCHEMA,
  retryDocument,
  runningTaskDocument,
  TASK_SCHEMA,
} from "./documents.ts";
export { dropEmpty, isPlainObject, prettyJson, sortedJson, sortKeys } from "./json.ts";
export {
  attemptDirectory,
  PUBLISHED_STATES,
  RUN_FILES,
  stateOfSeverity,
  type TaskState,
  taskDirectory,
  taskKey,
} from "./layout.ts";
export { isoSeconds, runIdFromTime, trajectoryTime } from "./time.ts";
