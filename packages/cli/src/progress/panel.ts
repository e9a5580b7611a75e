import { formatCost, formatCount, formatDuration } from "../output/format.ts";
import { oneLine, truncate } from "../output/width.ts";
import { type Board, type RequestBoard, remainingSeconds, requestsOf, waitingReasons } from "./board.ts";

export type PanelSize = { readonly columns: number; readonly rows: number };

const MOST_REQUESTS = 8;
const MOST_TASKS = 4;

/** The live panel as lines that fit the terminal, whatever its size. `now` is seconds since the epoch. */
export function renderPanel(board: Board, now: number, size: PanelSize): string[] {
  const requests = requestsOf(board);
  const live = requests.filter((request) => !request.ended);
  const shown = [...live, ...requests.filter((request) => request.ended)].slice(0, MOST_REQUESTS);
  const lines = shown
    .sort((left, right) => left.index - right.index)
    .flatMap((request) => renderRequest(request, now, size.columns));
  if (requests.length > shown.length) lines.push(`… and ${requests.length - shown.length} more requests`);
  const height = Math.max(1, size.rows - 1);
  // The last column stays free: a full line would wrap and break the redrawing.
  return lines
    .slice(0, height)
    .map((line) => truncate(`${indent(line)}${oneLine(line)}`, Math.max(1, size.columns - 1)));
}

function renderRequest(request: RequestBoard, now: number, columns: number): string[] {
  const head = `${statusIcon(request)} ${request.name}  ${bar(request, Math.min(30, columns - 50))}${countsText(request)}`;
  if (request.ended) return [`${head}  ${formatDuration(request.view.elapsed_seconds)}`];
  const remaining = remainingSeconds(request, now);
  const facts = [
    formatDuration(Math.max(0, now - request.startedAt)),
    ...(remaining === null ? [] : [`about ${formatDuration(remaining)} left`]),
    ...usageText(request),
  ];
  return [`${head}  ${facts.join(", ")}`, ...waitingLines(request), ...taskLines(request, now)];
}

function indent(line: string): string {
  return line.startsWith("    ") ? "    " : "";
}

function statusIcon(request: RequestBoard): string {
  if (!request.ended) return "●";
  return request.view.status === "completed" ? "✓" : "✗";
}

function bar(request: RequestBoard, width: number): string {
  const { total_tasks: total, finished_tasks: finished } = request.view;
  if (width < 5 || total === 0) return "";
  const filled = Math.min(width, Math.floor((finished / total) * width));
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}  `;
}

/** Counts as text: 5/12, and what else there is to know. */
export function countsText(request: RequestBoard): string {
  const { view } = request;
  const marks = [
    [view.running_tasks, "● "],
    [view.failed_tasks, "✗ "],
    [view.error_tasks, "⚠ "],
    [view.reused_tasks, "↻ "],
    [view.skipped_tasks, "⊘ "],
  ] as const;
  const others = marks.filter(([count]) => count > 0).map(([count, icon]) => `  ${icon}${count}`);
  return `${view.finished_tasks}/${view.total_tasks}${others.join("")}`;
}

/** Tokens and cost, where the events tell them. */
export function usageText(request: RequestBoard): string[] {
  return [
    ...(request.tokens > 0 ? [`${formatCount(request.tokens)} tokens`] : []),
    ...(request.costUsd > 0 ? [formatCost(request.costUsd)] : []),
  ];
}

function waitingLines(request: RequestBoard): string[] {
  const reasons = [...waitingReasons(request.view)].map(([reason, count]) => `${count} for ${reason}`);
  return reasons.length === 0 ? [] : [`    waiting: ${reasons.join(", ")}`];
}

function taskLines(request: RequestBoard, now: number): string[] {
  const tasks = Object.entries(request.view.active_tasks).filter(([, task]) => task.phase !== null);
  const lines = tasks.slice(0, MOST_TASKS).map(([id, task]) => {
    const attempt = task.attempt !== null && task.attempt > 1 ? ` attempt ${task.attempt}` : "";
    const since = formatDuration(Math.max(0, now - task.updated_at));
    return `    ${id}${attempt}: ${task.phase ?? ""} ${since}`;
  });
  return tasks.length > MOST_TASKS ? [...lines, `    … and ${tasks.length - MOST_TASKS} more running`] : lines;
}
