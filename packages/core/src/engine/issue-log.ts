import { firstLine } from "../error.ts";
import type { Log } from "../port/index.ts";
import type { AttemptResult } from "../result/index.ts";

/** So many issues of one severity and code are said one by one; the rest are counted. */
export const SAID_OF_A_CODE = 3;

/** Says the issues of attempts as they end, at WARNING. */
export type IssueLog = {
  say(task: string, attempt: number, result: Pick<AttemptResult, "issues">): void;
  /** Says how many issues were only counted. */
  finish(): void;
};

export function createIssueLog(log: Log): IssueLog {
  const counts = new Map<string, number>();
  const warn = (message: string): void => log({ level: "WARNING", source: "issue", message });
  return {
    say(task, attempt, { issues }) {
      for (const { severity, code, message } of issues) {
        const kind = `${severity.toUpperCase()} ${code}`;
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        if (count <= SAID_OF_A_CODE) warn(`task=${task} attempt=${attempt} ${kind}: ${firstLine(message)}`);
      }
    },
    finish() {
      for (const [kind, count] of counts)
        if (count > SAID_OF_A_CODE)
          warn(`${kind}: ${count} issues in all, ${count - SAID_OF_A_CODE} of them not shown`);
      counts.clear();
    },
  };
}
