import type { PreparedTask, TaskSpec } from "./benchmark.ts";
import type { HarnessRun } from "./harness.ts";

/** A task that is asked as text and answered with text; `messages` are for harnesses that take a conversation. */
export function textTask(task: TaskSpec, prompt: string, messages: readonly unknown[] = []): PreparedTask {
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
