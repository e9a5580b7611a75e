import type { TaskResult } from "../result/attempt-result.ts";

/** One for all tasks. */
const NOTHING = { trajectory: {}, artifacts: {}, analysis_result: {}, meta: { benchmark: {}, harness: {} } };

/** A result without what the report does not look at; keeps memory flat in the number of tasks done. */
export function withoutTrajectory(result: TaskResult): TaskResult {
  return {
    task_id: result.task_id,
    category: result.category,
    ground_truth: null,
    attempts: Object.fromEntries(
      Object.entries(result.attempts).map(([attempt, kept]) => [
        attempt,
        {
          ...kept,
          final_answer: null,
          ...NOTHING,
        },
      ]),
    ),
  };
}
