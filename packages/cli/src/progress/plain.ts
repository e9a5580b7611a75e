import type { ProgressEvent } from "@agentcompass/core/event";
import { formatDuration } from "../output/format.ts";
import { oneLine } from "../output/width.ts";
import { type Board, type RequestBoard, remainingSeconds, requestsOf, waitingReasons } from "./board.ts";
import { countsText, usageText } from "./panel.ts";

export const PLAIN_INTERVAL_SECONDS = 10;

/** When a line was last written, by request. */
export type PlainState = Map<number, number>;

/** The lines to write after an event: one at the start of a request, one at its end, else none. */
export function plainEventLines(request: RequestBoard, event: ProgressEvent, state: PlainState): string[] {
  if (event.event === "tasks_loaded") {
    state.set(request.index, event.timestamp);
    const { benchmark, harness, environment, model, total_tasks: total } = request.view;
    return [
      `${request.name}: started, ${total} ${total === 1 ? "task" : "tasks"} (${benchmark}, ${harness}, ${model}, ${environment})`,
    ];
  }
  if (event.event !== "run_finished") return [];
  const error = request.error === "" ? "" : `: ${oneLine(request.error)}`;
  const time = formatDuration(request.view.elapsed_seconds);
  return [
    `${request.name}: ${request.view.status}, ${[countsText(request), ...usageText(request), time].join(", ")}${error}`,
  ];
}

/** A line for every running request that has been silent for ten seconds. */
export function plainTimeLines(board: Board, now: number, state: PlainState): string[] {
  return requestsOf(board).flatMap((request) => {
    const last = state.get(request.index);
    if (request.ended || last === undefined || now - last < PLAIN_INTERVAL_SECONDS) return [];
    state.set(request.index, now);
    return [progressLine(request, now)];
  });
}

function progressLine(request: RequestBoard, now: number): string {
  const remaining = remainingSeconds(request, now);
  const waiting = [...waitingReasons(request.view)].map(([reason, count]) => `${count} wait for ${reason}`);
  const facts = [
    countsText(request),
    ...usageText(request),
    formatDuration(now - request.startedAt),
    ...(remaining === null ? [] : [`about ${formatDuration(remaining)} left`]),
    ...waiting,
  ];
  return `${request.name}: ${facts.join(", ")}`;
}
