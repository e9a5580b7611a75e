import type { Issue } from "../result/issue.ts";
import type { ExecutionContext } from "./context.ts";

/** An issue whose message holds no secret and one line. */
export function redactIssue(context: Pick<ExecutionContext, "redact">, issue: Issue): Issue {
  return { ...issue, message: context.redact(issue.message.split(/\r?\n/, 1)[0] ?? "") };
}
