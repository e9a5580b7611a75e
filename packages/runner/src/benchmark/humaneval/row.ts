import { AgentCompassError } from "@agentcompass/core";
import type { TaskSpec } from "@agentcompass/core/plugin";
import { z } from "zod";
import type { JsonLine } from "../json-lines.ts";
import { checkTaskId } from "../selection.ts";
import { defines } from "./program.ts";

const text = z.string("must be a text");

/** One problem of the file. */
const HumanEvalRow = z.looseObject({
  task_id: text,
  prompt: text,
  entry_point: z.string("must be a text").regex(/^[A-Za-z_]\w*$/, "must be the name of a function"),
  canonical_solution: text,
  test: z.string("must be a text").regex(/^def check\s*\(/m, "must define check(candidate)"),
});
export type HumanEvalRow = z.output<typeof HumanEvalRow>;

/** The task of a line. Throws AgentCompassError `benchmark.data_invalid` with file and line. */
export function toTask(line: JsonLine, seen: Map<string, string>): TaskSpec {
  const parsed = HumanEvalRow.safeParse(line.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(line, `${issue?.path.join(".") || "the line"} ${issue?.message ?? "is not allowed"}`);
  }
  const { task_id, prompt, entry_point, canonical_solution, test } = parsed.data;
  checkTaskId(line.where, task_id, seen);
  if (!defines(prompt, entry_point)) throw invalid(line, `prompt does not define ${entry_point}`);
  return {
    task_id,
    category: null,
    ground_truth: canonical_solution,
    metadata: { prompt, entry_point, canonical_solution, test },
  };
}

function invalid(line: JsonLine, reason: string): AgentCompassError {
  return new AgentCompassError("benchmark.data_invalid", `${line.where}: ${reason}`);
}
