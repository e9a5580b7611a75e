import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskResult } from "./attempt-result.ts";
import type { Issue } from "./issue.ts";
import { groupIssues, issueSection } from "./issue-summary.ts";

const task = (task_id: string, ...attempts: readonly (readonly Issue[])[]): TaskResult => ({
  task_id,
  category: null,
  ground_truth: null,
  attempts: Object.fromEntries(
    attempts.map((issues, index) => [
      String(index + 1),
      {
        status: "completed",
        metrics: {},
        final_answer: null,
        trajectory: {},
        issues,
        artifacts: {},
        analysis_result: {},
        meta: { benchmark: {}, harness: {} },
        retry_count: 0,
      },
    ]),
  ),
});

const issue = (severity: Issue["severity"], code: string, message = code): Issue => ({
  severity,
  phase: "run",
  code,
  message,
});

describe("the issues of a run in its summary", () => {
  it("stand by severity, then code, with their count and the first task that has them", () => {
    const groups = groupIssues([
      task("t2", [issue("warning", "b", "later"), issue("warning", "b")], [issue("error", "x", "<x>\n|")]),
      task("t1", [issue("warning", "b", "first"), issue("fatal", "z")]),
      task("t3", [issue("warning", "a")]),
    ]);
    expect(issueSection(groups)).toEqual([
      "",
      "## Issues",
      "",
      "- FATAL z: once, in task t1: z",
      String.raw`- ERROR x: once, in task t2: &lt;x&gt; \|`,
      "- WARNING a: once, in task t3: a",
      "- WARNING b: 3 times, first in task t1: first",
    ]);
  });

  it("make no section where there is none", () => {
    expect(issueSection(groupIssues([task("t1", [])]))).toEqual([]);
  });

  it("are all counted, whatever the order of the tasks", () => {
    const severity = fc.constantFrom<Issue["severity"]>("fatal", "error", "warning");
    const issues = fc.array(
      fc.tuple(severity, fc.constantFrom("a", "b", "c")).map(([one, code]) => issue(one, code)),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.array(issues, { maxLength: 6 }), (all) => {
        const tasks = all.map((one, index) => task(`t${index}`, one));
        const groups = groupIssues(tasks);
        expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(all.flat().length);
        expect(groupIssues([...tasks].reverse())).toEqual(groups);
      }),
    );
  });
});
