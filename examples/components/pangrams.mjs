/** Two components in one JavaScript file: a benchmark of yes-or-no questions, and a harness that always says yes. */
import { answerText, defineBenchmark, defineHarness, textTask } from "agentcompass";

const SENTENCES = ["Pack my box with five dozen liquor jugs.", "Two driven jocks help fax my big quiz.", "Too short."];

const isPangram = (sentence) => new Set(sentence.toLowerCase().match(/[a-z]/g)).size === 26;

const benchmark = defineBenchmark({
  id: "pangrams",
  description: "Does a sentence hold every letter of the alphabet?",
  doLoad: () => ({
    tasks: SENTENCES.map((sentence, index) => ({
      task_id: `sentence-${index + 1}`,
      ground_truth: isPangram(sentence) ? "yes" : "no",
      metadata: { sentence },
    })),
  }),
  doPrepare: ({ task }) => textTask(task, `${task.metadata.sentence} Is every letter in it? Answer yes or no.`),
  doEvaluate: ({ task, run }) => ({ metrics: { correct: answerText(run) === task.ground_truth } }),
});

const harness = defineHarness({
  id: "yes_man",
  description: "Says yes to everything.",
  delivers: ["text"],
  needsModel: false,
  runsCommands: false,
  doRun: () => ({ final_answer: "yes" }),
});

export default [benchmark, harness];
