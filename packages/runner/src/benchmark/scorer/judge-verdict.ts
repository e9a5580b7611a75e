import { StageFailure } from "@agentcompass/core/plugin";
import { z } from "zod";
import { allJson } from "./first-json.ts";
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

/**
 * Reads what the judge said. A verdict that it quotes, such as one that an answer holds, must not count as its own: several that
 * differ are none. Throws StageFailure `judge_invalid_output`, which is fatal: there is no score without a verdict.
 */
export function readVerdict(text: string, { pass_score }: Kind): Verdict {
  const verdicts = allJson(text).flatMap(({ value }) => verdictOf(value, pass_score) ?? []);
  const [last] = verdicts.slice(-1);
  if (last && verdicts.every(({ correct, score }) => correct === last.correct && score === last.score)) return last;
  const expected =
    typeof pass_score === "number" ? "a score from 0 to 1 and a reason" : "correct as true or false and a reason";
  throw invalid(text, last ? `holds ${verdicts.length} verdicts that differ` : `is no JSON object with ${expected}`);
}

function verdictOf(value: unknown, passScore: Kind["pass_score"]): Verdict | undefined {
  if (typeof passScore !== "number") return cut(CorrectVerdict.safeParse(value).data);
  const given = ScoreVerdict.safeParse(value).data;
  return cut(given && { correct: given.score >= passScore, ...given });
}

/** A judge that goes on without end must not fill the results. */
function cut(verdict: Verdict | undefined): Verdict | undefined {
  return verdict && { ...verdict, reason: verdict.reason.slice(0, LONGEST_REASON) };
}

function schemaOf(passScore: Kind["pass_score"]): z.ZodObject {
  return typeof passScore === "number" ? ScoreVerdict : CorrectVerdict;
}

const SHOWN = 120;
const LONGEST_REASON = 4000;

function invalid(text: string, problem: string): StageFailure {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  return new StageFailure("fatal", "judge_invalid_output", `the judge's reply ${problem}: ${JSON.stringify(shown)}`, {
    phase: "evaluate",
  });
}
