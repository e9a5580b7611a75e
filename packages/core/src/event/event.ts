/** Names are AgentCompass's (reference 9.1), so that its tools read our progress.jsonl. */
export const EVENT_NAMES = [
  "run_started",
  "tasks_loaded",
  "reuse_loaded",
  "task_started",
  "task_finished",
  "attempt_started",
  "attempt_finished",
  "phase_changed",
  "execution_plan_resolved",
  "attempt_retry",
  "partial_saved",
  "summary_started",
  "run_finished",
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const PHASES = [
  "plan",
  "recover_evaluation",
  "open_environment",
  "prepare_task",
  "start_harness",
  "run_harness",
  "collect_harness_result",
  "save_evaluation_checkpoint",
  "evaluate_environment",
  "evaluate",
  "save_partial",
  "retry_wait",
] as const;
export type Phase = (typeof PHASES)[number];

/** One line of progress.jsonl and the argument of onProgress. */
export type ProgressEvent = {
  readonly run_id: string;
  readonly event: EventName;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly task_id: string | null;
  readonly category: string | null;
  readonly attempt: number | null;
  readonly phase: Phase | null;
  readonly status: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly orchestration_id: string;
  readonly request_key: string;
  readonly request_name: string;
  readonly request_index: number;
};

/** The part of an event that its author knows; the rest says which request it belongs to. */
export type EventFacts = { readonly event: EventName } & Partial<
  Pick<ProgressEvent, "task_id" | "category" | "attempt" | "phase" | "status" | "payload">
>;

export type EventOrigin = Pick<
  ProgressEvent,
  "run_id" | "orchestration_id" | "request_key" | "request_name" | "request_index"
>;

/** Completes an event; fields that do not apply are null. */
export function createEvent(origin: EventOrigin, facts: EventFacts, nowMs: number): ProgressEvent {
  return {
    run_id: origin.run_id,
    event: facts.event,
    timestamp: nowMs / 1000,
    task_id: facts.task_id ?? null,
    category: facts.category ?? null,
    attempt: facts.attempt ?? null,
    phase: facts.phase ?? null,
    status: facts.status ?? null,
    payload: facts.payload ?? {},
    orchestration_id: origin.orchestration_id,
    request_key: origin.request_key,
    request_name: origin.request_name,
    request_index: origin.request_index,
  };
}
