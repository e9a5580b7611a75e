/** A scorer of one's own for the benchmark jsonl: the last number of the answer may be off by one part in a hundred. */
import { defineScorer } from "agentcompass";

export default defineScorer({
  id: "close_enough",
  description: "the last number in the answer differs from the expected one by at most 1 %.",
  refuse: (expected) =>
    typeof expected === "number" && expected !== 0 ? undefined : "scorer close_enough needs a number other than 0",
  reference: String,
  isCorrect: (answer, expected) => {
    const last = answer.match(/-?\d+(?:\.\d+)?/g)?.at(-1);
    return last !== undefined && Math.abs(Number(last) / Number(expected) - 1) <= 0.01;
  },
});
