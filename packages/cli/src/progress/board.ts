import { emptyProgress, foldProgress, type ProgressEvent, type ProgressView } from "@agentcompass/core/event";

/** What is shown of one request: its progress.json and what the events say beyond it. */
export type RequestBoard = {
  readonly index: number;
  readonly name: string;
  readonly view: ProgressView;
  /** Seconds since the epoch of the first event. */
  readonly startedAt: number;
  /** Seconds since the epoch of the first task that ran here; tasks taken over do not count. */
  workStartedAt: number | null;
  ended: boolean;
  error: string;
  tokens: number;
  costUsd: number;
};

/** All requests of an orchestration by index, as their events have told so far. */
export type Board = Map<number, RequestBoard>;

/** Folds one event into the board. */
export function foldBoard(board: Board, event: ProgressEvent): RequestBoard {
  const request = board.get(event.request_index) ?? newRequest(event);
  board.set(event.request_index, request);
  foldProgress(request.view, event, request.startedAt);
  if (event.event === "task_started") request.workStartedAt ??= event.timestamp;
  if (event.event === "attempt_finished") addUsage(request, event.payload);
  if (event.event === "run_finished") {
    request.ended = true;
    request.error = typeof event.payload["error"] === "string" ? event.payload["error"] : "";
  }
  return request;
}

function newRequest(event: ProgressEvent): RequestBoard {
  return {
    index: event.request_index,
    name: event.request_name,
    view: emptyProgress(),
    startedAt: event.timestamp,
    workStartedAt: null,
    ended: false,
    error: "",
    tokens: 0,
    costUsd: 0,
  };
}

function addUsage(request: RequestBoard, payload: Readonly<Record<string, unknown>>): void {
  const { tokens, cost_usd: cost } = payload;
  if (typeof tokens === "number") request.tokens += tokens;
  if (typeof cost === "number") request.costUsd += cost;
}

/** Requests in declaration order. */
export function requestsOf(board: Board): RequestBoard[] {
  return [...board.values()].sort((left, right) => left.index - right.index);
}

/** Seconds until the last task ends if tasks go on ending as they did; null when nothing ended yet. */
export function remainingSeconds(request: RequestBoard, now: number): number | null {
  const { view } = request;
  const done = view.finished_tasks - view.reused_tasks;
  const left = view.total_tasks - view.finished_tasks;
  if (request.ended || request.workStartedAt === null || done <= 0) return null;
  return ((now - request.workStartedAt) / done) * left;
}

/** Why running tasks do not work at the moment, with how many of them wait for it. */
export function waitingReasons(view: ProgressView): Map<string, number> {
  const reasons = new Map<string, number>();
  for (const task of Object.values(view.active_tasks)) {
    const reason = waitingReason(task);
    if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return reasons;
}

function waitingReason(task: ProgressView["active_tasks"][string]): string | null {
  if (typeof task.details["waiting"] === "string") return task.details["waiting"];
  if (task.phase === "retry_wait") return "retry delay";
  return task.phase === null ? "a permit" : null;
}
