import type { Harness } from "@agentcompass/core/plugin";

/** Does nothing and answers with an empty text: the score of no work at all. */
export const nop: Harness = {
  id: "nop",
  parallelAttemptsSafe: true,
  delivers: ["text", "workspace"],
  needsModel: false,
  runsCommands: false,
  protocols: [],
  defaultRunTimeoutSeconds: null,
  doRun: async () => ({ final_answer: "", trajectory: null, issues: [], artifacts: {}, telemetry: {} }),
};
