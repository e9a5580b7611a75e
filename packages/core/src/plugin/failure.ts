import type { Issue, IssuePhase, IssueSeverity } from "../result/issue.ts";

/**
 * Thrown by a benchmark or harness that knows how grave its failure is. Anything else that it throws is graded by
 * the stage it came from.
 */
export class StageFailure extends Error {
  override readonly name = "StageFailure";
  readonly severity: IssueSeverity;
  readonly code: string;
  readonly phase: IssuePhase | undefined;

  constructor(
    severity: IssueSeverity,
    code: string,
    message: string,
    options: { phase?: IssuePhase; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.severity = severity;
    this.code = code;
    this.phase = options.phase;
  }
}

export type { Issue };
