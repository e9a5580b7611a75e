import { type AttemptStart, EMPTY_RUN, type ExecutionOutcome } from "../attempt/index.ts";
import type { AttemptResult } from "../result/attempt-result.ts";
import type { Trajectory } from "../result/trajectory.ts";

/** A retry of an attempt that an earlier run finished: its result is what the first retry throws away. */
export function startOfKept(result: AttemptResult): AttemptStart {
  const outcome: ExecutionOutcome = {
    run: {
      run: {
        ...EMPTY_RUN,
        final_answer: result.final_answer,
        trajectory: "steps" in result.trajectory ? (result.trajectory as Trajectory) : null,
        artifacts: result.artifacts,
      },
      issues: result.issues.filter((issue) => issue.phase !== "evaluate"),
      failed: false,
    },
    prepared: undefined,
    metrics: result.metrics,
    evaluationIssues: result.issues.filter((issue) => issue.phase === "evaluate"),
    evaluationArtifacts: {},
    benchmarkMeta: result.meta.benchmark,
  };
  return { outcome };
}
