/** A recipe of one's own: tasks of the category "long" get five minutes, and a variable that their commands can read. */
import { defineRecipe } from "agentcompass";

const LONG_RUN_SECONDS = 300;

export default defineRecipe({
  id: "patient_with_long_words",
  description: "Gives tasks of the category long 300 seconds and WORD_LENGTH=long.",
  matches: (_request, task) => task.category === "long",
  apply: (plan) => ({
    ...plan,
    run_timeout_seconds: LONG_RUN_SECONDS,
    env_variables: { ...plan.env_variables, WORD_LENGTH: "long" },
  }),
});
