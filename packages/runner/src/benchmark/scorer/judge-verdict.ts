import { StageFailure } from "@agentcompass/core/plugin";
import { z } from "zod";
import { firstJson } from "./first-json.ts";
import type { JudgeParams } from "./judge-params.ts";

export type Verdict = { readonly correct: boolean; readonly score?: number; readonly reason: string };

const reason = z.string().describe("One or two sentences that say why.");
const CorrectVerdict = z.object({ reason, correct: z.boolean().describe("Whether the answer is correct.") });
const ScoreVerdict = z.object({
  reason,
  // A refinement, since some endpoints refuse schemas with bounds.
  score: z
    .number()
    .refine((score) => score >= 0 && score <= 1)
    .describe("How good the answer is, from 0 to 1."),
});

type Kind = Pick<JudgeParams, "pass_score">;

/** The verdict's form, in words. */
export function verdictForm({ pass_score }: Kind): string {
  const value = typeof pass_score === "number" ? '"score": a number from 0 to 1' : '"correct": true or false';
  return `Reply with one JSON object and nothing else: {"reason": one or two sentences, ${value}}.`;
}

/** The verdict's form for endpoints that enforce a JSON schema. */
export function verdictFormat({ pass_score }: Kind): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(schemaOf(pass_score));
  return { type: "json_schema", json_schema: { name: "verdict", strict: true, schema } };
}

/** Reads what the judge said. Throws StageFailure `judge_invalid_output`, which is fatal: there is no score without a verdict. */
export function readVerdict(text: string, { pass_score }: Kind): Verdict {
  const found = firstJson(text);
  if (typeof pass_score === "number") {
    const parsed = ScoreVerdict.safeParse(found?.value);
    if (!parsed.success) throw invalid(text, "a score from 0 to 1 and a reason");
    return { correct: parsed.data.score >= pass_score, ...parsed.data };
  }
  const parsed = CorrectVerdict.safeParse(found?.value);
  if (!parsed.success) throw invalid(text, "correct as true or false and a reason");
  return parsed.data;
}

function schemaOf(passScore: Kind["pass_score"]): z.ZodObject {
  return typeof passScore === "number" ? ScoreVerdict : CorrectVerdict;
}

const SHOWN = 120;

function invalid(text: string, expected: string): StageFailure {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  return new StageFailure(
    "fatal",
    "judge_invalid_output",
    `the judge's reply is no JSON object with ${expected}: ${JSON.stringify(shown)}`,
    { phase: "evaluate" },
  );
}
