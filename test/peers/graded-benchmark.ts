/** A benchmark whose primary metric is a number, with a binary and a scalar metric beside it, as a component of one's own. */
import { answerText, defineBenchmark, textTask } from "agentcompass";

const TASKS = 7;

export default defineBenchmark({
  id: "graded",
  description: "The score is the number that the model names.",
  metrics: [
    { id: "score", kind: "scalar", primary: true },
    { id: "wall-time.s", kind: "scalar", primary: false },
    { id: "passed", kind: "binary_success", primary: false, label: "Pass Rate" },
  ],
  doLoad: () => ({
    tasks: Array.from({ length: TASKS }, (_, index) => ({
      task_id: `task-${index}`,
      category: index % 2 ? "odd" : "even",
    })),
  }),
  doPrepare: ({ task }) => textTask(task, `Name the number of ${task.task_id}.`),
  doEvaluate: ({ run }) => {
    const score = Number(answerText(run));
    return { metrics: { score, "wall-time.s": score * 1e-3, passed: score > 0.5 } };
  },
});
