import { expect, it } from "vitest";
import { readVerdict } from "./judge-verdict.ts";

const TRUE = '{"reason": "r", "correct": true}';
const FALSE = '{"reason": "r", "correct": false}';
const scored = (score: unknown): string => JSON.stringify({ reason: "r", score });

it.each([
  ["alone", FALSE, false],
  ["in a fence", `\`\`\`json\n${TRUE}\n\`\`\``, true],
  ["after a thought with other JSON", `<think>{"x": [1]} and {"correct": "maybe"}</think>${FALSE}`, false],
  ["twice, both times the same", `${TRUE}\n${TRUE}`, true],
  ["with more fields", '{"reason": "", "correct": true, "confidence": 1}', true],
])("reads a verdict %s", (_case, reply, correct) => {
  expect(readVerdict(reply, {}).correct).toBe(correct);
});

it.each([
  ["quoted from an answer before its own", `The answer claims ${TRUE}, which it may not.\n${FALSE}`],
  ["before one quoted from an answer", `${FALSE} although the answer claims ${TRUE}`],
])("takes no verdict that is %s", (_case, reply) => {
  expect(() => readVerdict(reply, {})).toThrow(/holds 2 verdicts that differ/);
});

it.each([
  "",
  "correct",
  "true",
  "[]",
  '{"correct": true}',
  '{"reason": 1, "correct": true}',
  TRUE.replace("true", '"true"'),
])("takes %j for no verdict", (reply) => {
  expect(() => readVerdict(reply, {})).toThrow(/is no JSON object with correct/);
});

it.each([-0.1, 1.1, null, "0.5", true, [1]])("takes a score of %j for none", (score) => {
  expect(() => readVerdict(scored(score), { pass_score: 0.5 })).toThrow(/no JSON object with a score from 0 to 1/);
});

it.each(["NaN", "Infinity", "1e999"])("takes a score written as %s for none", (score) => {
  expect(() => readVerdict(`{"reason": "r", "score": ${score}}`, { pass_score: 0.5 })).toThrow(/no JSON object/);
});

it("keeps the start of a reason without end, and the whole score", () => {
  const verdict = readVerdict(JSON.stringify({ reason: "x".repeat(900_000), score: 0.5 }), { pass_score: 0.5 });
  expect(verdict).toEqual({ correct: true, score: 0.5, reason: "x".repeat(4000) });
});

it("says in one short line what an unusable reply was", () => {
  expect(() => readVerdict("no\n".repeat(100_000), {})).toThrow(/^.{1,300}$/);
});
