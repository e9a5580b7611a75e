export {
  createEvent,
  EVENT_NAMES,
  type EventFacts,
  type EventName,
  type EventOrigin,
  PHASES,
  type Phase,
  type ProgressEvent,
} from "./event.ts";
export { type ActiveTask, emptyProgress, foldProgress, type ProgressView, progressDocument } from "./progress.ts";
