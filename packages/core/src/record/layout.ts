import { sha256 } from "../hash.ts";
import type { IssueSeverity } from "../result/issue.ts";

/** The state directory of a task; `running` until it is published. */
export type TaskState = "running" | "normal" | "error" | "fatal";
export const PUBLISHED_STATES = ["normal", "error", "fatal"] as const;

/** Every write of a task asks for its directory. */
const directories = new Map<string, string>();
const MOST_KNOWN = 256;

/**
 * `<readable prefix>--<sha256 of the exact id>`: distinct for every id, safe on every filesystem. The prefix
 * has at most 80 characters.
 */
export function taskDirectory(taskId: string): string {
  const known = directories.get(taskId);
  if (known !== undefined) return known;
  if (directories.size >= MOST_KNOWN) directories.clear();
  const directory = directoryOf(taskId);
  directories.set(taskId, directory);
  return directory;
}

function directoryOf(taskId: string): string {
  const readable = taskId.replaceAll(/[^A-Za-z0-9._=-]+/g, "_").replaceAll(/^[._-]+|[._-]+$/g, "");
  return `${readable.slice(0, 80) || "task"}--${sha256(exactText(taskId))}`;
}

/** UTF-8 has no form for a lone surrogate: two of them would hash alike, so such an id is hashed as escaped JSON. */
function exactText(taskId: string): string {
  return /\p{Surrogate}/u.test(taskId) ? JSON.stringify(taskId) : taskId;
}

/** Key of a task's directory below the run. */
export function taskKey(state: TaskState, taskId: string): string {
  return `details/${state}/${taskDirectory(taskId)}`;
}

export function attemptDirectory(attempt: number): string {
  return `attempt-${attempt}`;
}

/** Where a finished task goes: by its worst issue; warnings stay normal. */
export function stateOfSeverity(severity: IssueSeverity | undefined): Exclude<TaskState, "running"> {
  return severity === "fatal" || severity === "error" ? severity : "normal";
}

export const RUN_FILES = {
  runInfo: "run_info.json",
  params: "params.json",
  metrics: "metrics.json",
  summary: "summary.md",
  progressEvents: "progress.jsonl",
  progress: "progress.json",
  log: "run.log",
} as const;
