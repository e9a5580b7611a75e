/** A harness of one's own: it calls no model, but hands the quoted word of the prompt to a command of the environment. */
import { defineHarness, StageFailure, z } from "agentcompass";

const params = z.strictObject({
  command: z.string().min(1).default("rev").describe("Reads the word on stdin and writes the answer."),
});

export default defineHarness({
  id: "shell_filter",
  description: "Answers with what a command of the environment makes of the quoted word in the prompt.",
  params,
  delivers: ["text"],
  needsModel: false,
  runsCommands: false,
  defaultRunTimeoutSeconds: 60,
  doRun: async ({ prepared, session, params, signal }) => {
    const word = /"([^"]+)"/.exec(prepared.input.prompt)?.[1];
    if (word === undefined) throw new StageFailure("error", "word_missing", "the prompt quotes no word");
    const { stdout, returncode } = await session.exec({ command: params.command, stdin: `${word}\n`, signal });
    return { final_answer: stdout.trim(), telemetry: { returncode } };
  },
});
