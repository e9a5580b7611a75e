import type { TaskResult } from "./attempt-result.ts";
import { compareCodePoints } from "./code-point-order.ts";
import type { IssueSeverity } from "./issue.ts";
import { markdownText } from "./markdown.ts";

/** The issues of final attempts that share a severity and a code. */
export type IssueGroup = {
  readonly severity: IssueSeverity;
  readonly code: string;
  /** Issues, not tasks: an attempt may have several of one code. */
  readonly count: number;
  /** The task whose id comes first among those that have it. */
  readonly task_id: string;
  /** Of that task's first one. */
  readonly message: string;
};

const WORST_FIRST: readonly IssueSeverity[] = ["fatal", "error", "warning"];

/** Every issue of every final attempt, counted by severity and code; worst severity first, then by code. The order of tasks plays no part. */
export function groupIssues(tasks: readonly TaskResult[]): readonly IssueGroup[] {
  const groups = new Map<string, IssueGroup>();
  for (const { task_id, attempts } of tasks)
    for (const { severity, code, message } of Object.values(attempts).flatMap((attempt) => attempt.issues)) {
      const key = `${severity} ${code}`;
      const known = groups.get(key);
      const first = known && compareCodePoints(known.task_id, task_id) <= 0 ? known : { task_id, message };
      const count = (known?.count ?? 0) + 1;
      groups.set(key, { severity, code, count, task_id: first.task_id, message: first.message });
    }
  return [...groups.values()].sort(
    (left, right) =>
      WORST_FIRST.indexOf(left.severity) - WORST_FIRST.indexOf(right.severity) ||
      compareCodePoints(left.code, right.code),
  );
}

/** The section of summary.md on issues; no line where there is none. */
export function issueSection(groups: readonly IssueGroup[]): string[] {
  if (groups.length === 0) return [];
  const lines = groups.map(({ severity, code, count, task_id, message }) => {
    const often = count === 1 ? "once, in" : `${count} times, first in`;
    return `- ${severity.toUpperCase()} ${markdownText(`${code}: ${often} task ${task_id}: ${message}`)}`;
  });
  return ["", "## Issues", "", ...lines];
}
