import { errorText } from "../error.ts";
import { EMPTY_RUN, type ExecutionContext, type RunOutcome } from "./context.ts";
import { gradeFailure, type Stage } from "./grade.ts";
import { redactIssue } from "./redact-issue.ts";

/** What is left of a run, or of a set-up, that threw. */
export function failedRun(context: ExecutionContext, error: unknown, stage: Stage): RunOutcome {
  const issue = redactIssue(context, gradeFailure(error, stage));
  const diagnostics = context.redact(diagnose(error));
  return { run: { ...EMPTY_RUN, artifacts: { execution_diagnostics: diagnostics } }, issues: [issue], failed: true };
}

/** The chain of causes, for whoever looks into one attempt. */
function diagnose(error: unknown): string {
  const lines: string[] = [];
  for (let cause: unknown = error; cause !== undefined && lines.length < 20; )
    if (cause instanceof Error) {
      lines.push(cause.stack ?? `${cause.name}: ${cause.message}`);
      cause = cause.cause;
    } else {
      lines.push(errorText(cause));
      break;
    }
  return lines.join("\ncaused by: ");
}
