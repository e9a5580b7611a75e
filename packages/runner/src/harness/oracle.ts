import { type Harness, StageFailure } from "@agentcompass/core/plugin";

/** Applies the task's own reference solution: what a perfect agent scores. */
export const oracle: Harness = {
  id: "oracle",
  parallelAttemptsSafe: true,
  delivers: ["text", "workspace"],
  needsModel: false,
  runsCommands: false,
  protocols: [],
  defaultRunTimeoutSeconds: null,
  async doRun({ applyReference, prepared }) {
    if (!applyReference) {
      const message = `oracle: task ${prepared.task_id} has no reference solution to apply`;
      throw new StageFailure("fatal", "harness_failed", message, { phase: "run" });
    }
    return { final_answer: await applyReference(), trajectory: null, issues: [], artifacts: {}, telemetry: {} };
  },
};
