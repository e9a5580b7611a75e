import {
  createEvent,
  type EventFacts,
  type EventOrigin,
  emptyProgress,
  foldProgress,
  type ProgressEvent,
  progressDocument,
} from "../event/index.ts";
import type { BlobStore, Clock, Log, LogLevel } from "../port/index.ts";
import { LOG_LEVELS } from "../port/index.ts";
import { isoSeconds, prettyJson, RUN_FILES } from "../record/index.ts";
import { createWriter } from "./writer.ts";

/** Writes what a request's events say: progress.jsonl in order, progress.json as their fold, run.log. */
export type Recorder = {
  emit(facts: EventFacts): void;
  /** Shows what is going on now without a line in progress.jsonl, whose kinds and order are AgentCompass's. */
  show(facts: EventFacts): void;
  log: Log;
  /** Writes everything outstanding; throws the first failure of any write. */
  finish(): Promise<void>;
};

export type RecorderAsk = {
  readonly store: BlobStore;
  readonly clock: Clock;
  readonly origin: EventOrigin;
  readonly onEvent: (event: ProgressEvent) => void;
  readonly onLog: Log;
  readonly fileLevel: LogLevel;
};

export function createRecorder(ask: RecorderAsk): Recorder {
  const { store, clock, origin } = ask;
  const view = emptyProgress();
  const startedAt = clock.now() / 1000;
  let events: string[] = [];
  let lines: string[] = [];

  const writer = createWriter(clock, async () => {
    const eventText = events.join("");
    const logText = lines.join("");
    events = [];
    lines = [];
    if (eventText) await store.append(RUN_FILES.progressEvents, eventText);
    if (logText) await store.append(RUN_FILES.log, logText);
    await store.put(RUN_FILES.progress, prettyJson(progressDocument(view)));
  });

  const show = (facts: EventFacts): ProgressEvent => {
    const event = createEvent(origin, facts, clock.now());
    foldProgress(view, event, startedAt);
    writer.touch();
    ask.onEvent(event);
    return event;
  };

  return {
    emit: (facts) => void events.push(`${JSON.stringify(show(facts))}\n`),
    show: (facts) => void show(facts),
    log(record): void {
      if (isLogged(record.level, ask.fileLevel)) {
        lines.push(`${isoSeconds(clock, clock.now())} ${record.level.padEnd(8)} ${record.source} ${record.message}\n`);
        writer.touch();
      }
      ask.onLog({ ...record, request: { index: origin.request_index, name: origin.request_name } });
    },
    finish: () => writer.finish(),
  };
}

/** True when a record of this level passes a threshold. */
export function isLogged(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}
