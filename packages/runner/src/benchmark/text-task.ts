import type { HarnessRun, PreparedTask, TaskSpec } from "@agentcompass/core/plugin";
import type { MetricContract } from "@agentcompass/core/result";

/** The one metric of benchmarks whose tasks are right or wrong. */
export const CORRECT: MetricContract = [{ id: "correct", kind: "binary_success", primary: true }];

/** A task that is asked as text and answered with text. */
export function prepareText(task: TaskSpec, prompt: string, messages: readonly unknown[] = []): PreparedTask {
  return {
    task_id: task.task_id,
    category: task.category,
    ground_truth: task.ground_truth,
    input: { prompt, system_prompt: null, media: [], files: [], workspace: null, tools: [], messages },
    output: { answer: null, files: [] },
    metadata: task.metadata,
  };
}

/** The answer as text: nothing is empty, what is no text is its JSON. */
export function answerText(run: HarnessRun): string {
  const answer = run.final_answer;
  if (typeof answer === "string") return answer;
  return answer === null || answer === undefined ? "" : JSON.stringify(answer);
}
