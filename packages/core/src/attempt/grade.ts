import { errorText } from "../error.ts";
import { EnvironmentFailure, ModelFailure, StageFailure } from "../plugin/index.ts";
import type { Issue, IssuePhase } from "../result/issue.ts";

/** Where in an attempt's life something was thrown. */
export type Stage = "setup" | "run" | "collect" | "evaluate" | "cleanup";

/** A stage ran past its time. */
export class StageTimeout extends Error {
  override readonly name = "StageTimeout";
  readonly seconds: number;

  constructor(what: string, seconds: number, source: string) {
    super(`${what} did not finish within ${Number(seconds.toFixed(3))} s (${source})`);
    this.seconds = seconds;
  }
}

const FATAL_STATUSES = new Set([401, 402, 403, 429]);

/**
 * The issue that something thrown in a stage becomes (reference 4.3): only the model's statuses 401, 402, 403, 429 and from
 * 500 are fatal; an environment is infrastructure and always fatal; an unknown exception is graded by its stage.
 */
export function gradeFailure(error: unknown, stage: Stage): Issue {
  if (error instanceof StageFailure) return issue(error.severity, error.phase ?? stage, error.code, errorText(error));
  if (error instanceof EnvironmentFailure) return issue("fatal", stage, "environment_failed", errorText(error));
  if (error instanceof ModelFailure) return gradeModelFailure(error, stage);
  return gradeByStage(error, stage);
}

/** What the task or the spec asked of the model (too long a context, a parameter) is never fatal, whatever the status. */
function gradeModelFailure(error: ModelFailure, stage: Stage): Issue {
  const { code, status } = error;
  const fatal = code === "model_failed" && status !== null && (FATAL_STATUSES.has(status) || status >= 500);
  return issue(fatal ? "fatal" : "error", stage, code, errorText(error));
}

function gradeByStage(error: unknown, stage: Stage): Issue {
  const message = errorText(error);
  switch (stage) {
    case "setup":
      return issue("fatal", "setup", "setup_failed", message);
    case "run":
      if (error instanceof StageTimeout) return issue("error", "run", "run_failed", message);
      return issue(hasTimeout(error) ? "error" : "fatal", "run", "harness_failed", message);
    case "collect":
      return issue("fatal", "collect", "collect_failed", message);
    case "evaluate":
      return issue("error", "evaluate", "evaluate_failed", message);
    case "cleanup":
      return issue("warning", "cleanup", "environment_failed", message);
  }
}

function hasTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof StageTimeout || cause.name === "TimeoutError") return true;
  return false;
}

function issue(severity: Issue["severity"], phase: IssuePhase, code: string, message: string): Issue {
  const line = message.split(/\r?\n/, 1)[0] ?? "";
  return { severity, phase, code: code.trim(), message: line };
}
