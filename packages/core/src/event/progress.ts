import type { ProgressEvent } from "./event.ts";

export type ActiveTask = {
  category: string | null;
  phase: string | null;
  attempt: number | null;
  updated_at: number;
  details: Readonly<Record<string, unknown>>;
};

/** progress.json of one request, folded from its events (reference 9.2). */
export type ProgressView = {
  run_id: string;
  benchmark: string;
  harness: string;
  environment: string;
  model: string;
  status: string;
  total_tasks: number;
  reused_tasks: number;
  pending_tasks: number;
  running_tasks: number;
  finished_tasks: number;
  /** Includes error, warning and reused tasks. */
  completed_tasks: number;
  failed_tasks: number;
  error_tasks: number;
  warning_tasks: number;
  skipped_tasks: number;
  attempts_started: number;
  attempts_finished: number;
  partials_saved: number;
  current_phase_counts: Record<string, number>;
  active_tasks: Record<string, ActiveTask>;
  elapsed_seconds: number;
  updated_at: number;
};

export function emptyProgress(): ProgressView {
  return {
    run_id: "",
    benchmark: "",
    harness: "",
    environment: "",
    model: "",
    status: "created",
    total_tasks: 0,
    reused_tasks: 0,
    pending_tasks: 0,
    running_tasks: 0,
    finished_tasks: 0,
    completed_tasks: 0,
    failed_tasks: 0,
    error_tasks: 0,
    warning_tasks: 0,
    skipped_tasks: 0,
    attempts_started: 0,
    attempts_finished: 0,
    partials_saved: 0,
    current_phase_counts: {},
    active_tasks: {},
    elapsed_seconds: 0,
    updated_at: 0,
  };
}

type Fold = (view: ProgressView, event: ProgressEvent) => void;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number => (typeof value === "number" ? value : 0);

function touch(view: ProgressView, event: ProgressEvent, details: Readonly<Record<string, unknown>>): void {
  if (event.task_id === null) return;
  const before = view.active_tasks[event.task_id];
  if (!before && event.event !== "task_started") return;
  view.active_tasks[event.task_id] = {
    category: event.category,
    phase: event.phase ?? before?.phase ?? null,
    attempt: event.attempt ?? before?.attempt ?? null,
    updated_at: event.timestamp,
    details,
  };
}

const FOLDS: Partial<Record<ProgressEvent["event"], Fold>> = {
  run_started: (view, event) => {
    view.status = "running";
    view.benchmark = text(event.payload["benchmark"]);
    view.harness = text(event.payload["harness"]);
    view.environment = text(event.payload["environment"]);
    view.model = text(event.payload["model"]);
    view.elapsed_seconds = 0;
  },
  tasks_loaded: (view, event) => {
    view.total_tasks = count(event.payload["total_tasks"]);
    view.pending_tasks = view.total_tasks;
  },
  reuse_loaded: (view, event) => {
    const severities = (event.payload["reused_severity_counts"] ?? {}) as Record<string, number>;
    view.reused_tasks = count(event.payload["reused_tasks"]);
    view.pending_tasks = count(event.payload["tasks_to_run"]);
    view.finished_tasks = view.reused_tasks;
    view.failed_tasks = count(severities["fatal"]);
    view.error_tasks = count(severities["error"]);
    view.warning_tasks = count(severities["warning"]);
    view.completed_tasks = view.reused_tasks - view.failed_tasks;
  },
  task_started: (view, event) => {
    view.pending_tasks -= 1;
    view.running_tasks += 1;
    touch(view, event, {});
  },
  attempt_started: (view, event) => {
    view.attempts_started += 1;
    touch(view, event, {});
  },
  attempt_finished: (view, event) => {
    view.attempts_finished += 1;
    touch(view, event, {});
  },
  phase_changed: (view, event) => touch(view, event, event.payload),
  partial_saved: (view) => {
    view.partials_saved += 1;
  },
  task_finished: (view, event) => {
    if (event.task_id !== null) delete view.active_tasks[event.task_id];
    view.running_tasks -= 1;
    view.finished_tasks += 1;
    if (event.status === "failed") view.failed_tasks += 1;
    else view.completed_tasks += 1;
    if (event.payload["severity"] === "error") view.error_tasks += 1;
    if (event.payload["severity"] === "warning") view.warning_tasks += 1;
  },
  summary_started: (view) => {
    view.status = "summarizing";
  },
  run_finished: (view, event) => {
    view.status = event.status ?? view.status;
    view.pending_tasks += view.running_tasks;
    view.running_tasks = 0;
    view.active_tasks = {};
  },
};

/** Folds one event into a view in place; the view of a run is the fold of all its events in order. */
export function foldProgress(view: ProgressView, event: ProgressEvent, startedAt: number): void {
  view.run_id = event.run_id;
  view.updated_at = event.timestamp;
  FOLDS[event.event]?.(view, event);
  view.elapsed_seconds = Math.round((event.timestamp - startedAt) * 1000) / 1000;
}

/** The view as progress.json holds it, with the phases of the running tasks counted. */
export function progressDocument(view: ProgressView): ProgressView {
  const phases: Record<string, number> = {};
  for (const task of Object.values(view.active_tasks))
    if (task.phase) phases[task.phase] = (phases[task.phase] ?? 0) + 1;
  return { ...view, current_phase_counts: phases };
}
