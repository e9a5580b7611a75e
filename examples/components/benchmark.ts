/** A benchmark of one's own: words to spell backwards. Its tasks come from a parameter, so that it needs no data. */
import { answerText, defineBenchmark, type TaskSpec, textTask, z } from "agentcompass";

const params = z.strictObject({
  words: z.array(z.string().min(1)).min(1).default(["level", "stone", "drawer"]).describe("Words to spell backwards."),
  shout: z.boolean().default(false).describe("Ask for capital letters."),
});

export default defineBenchmark({
  id: "reversed_words",
  description: "Spell each word backwards.",
  params,
  doLoad: ({ params }) => ({
    tasks: params.words.map((word) => ({
      task_id: word,
      category: word.length > 5 ? "long" : "short",
      ground_truth: reversed(params.shout ? word.toUpperCase() : word),
    })),
  }),
  doPrepare: ({ task, params }) => {
    const how = params.shout ? " in capital letters" : "";
    return textTask(task, `Spell the word "${task.task_id}" backwards${how}. Answer with that word alone.`);
  },
  doSolve: ({ task }) => expected(task),
  doEvaluate: ({ task, run }) => ({ metrics: { correct: answerText(run).trim() === expected(task) } }),
});

function reversed(word: string): string {
  return [...word].reverse().join("");
}

function expected(task: TaskSpec): string {
  return String(task.ground_truth);
}
