import { expect, it } from "vitest";
import * as comparisons from "./comparisons.ts";
import { lastNumber } from "./number.ts";

const { exact, numeric, includes, regex, json } = comparisons;
const COMPARISON = { exact, numeric, includes, regex, json };
type ComparisonId = keyof typeof COMPARISON;

const cases: readonly [ComparisonId, string, unknown, boolean][] = [
  ["exact", " Paris\n", "Paris", true],
  ["exact", "paris", "Paris", false],
  ["exact", "The answer is Paris", "Paris", false],
  ["exact", "42", 42, true],
  ["exact", "", "Paris", false],
  ["numeric", "First 3, then 4, so the answer is 1,200.50.", 1200.5, true],
  ["numeric", "18 ducks", "18", true],
  ["numeric", "$-7", -7, true],
  ["numeric", "the result is \u22127", -7, true],
  ["numeric", "5-3", 3, true],
  ["numeric", "x = .5", "0.50", true],
  ["numeric", "1.5e3", "1,500", true],
  ["numeric", "12, 34, and no more", 34, true],
  ["numeric", "1,234, that is all", 1234, true],
  ["numeric", "12345678901234567890", "12345678901234567891", false],
  ["numeric", "0.1", "0.10000000000000001", false],
  ["numeric", "17", 18, false],
  ["numeric", "18 and then 19", 18, false],
  ["numeric", "", 0, false],
  ["numeric", "none", 0, false],
  ["includes", "The capital is Paris, of course", "Paris", true],
  ["includes", "the capital is paris", "Paris", false],
  ["includes", "", "Paris", false],
  ["regex", "It is 42.", String.raw`\b42\b`, true],
  ["regex", "It is 421.", String.raw`\b42\b`, false],
  ["regex", "one\ntwo", "^two$", false],
  ["json", '{"b": [1, 2.0], "a": null}', { a: null, b: [1, 2] }, true],
  ["json", 'Here you are:\n```json\n{"a": "}"}\n```', { a: "}" }, true],
  ["json", 'set {x} to 1: {"a": 1} or {"a": 2}', { a: 1 }, true],
  ["json", 'set {x} to 1: {"a": 1} or {"a": 2}', { a: 2 }, false],
  ["json", "[1, 2]", [2, 1], false],
  ["json", "The answer is 7, not 8.", 7, true],
  ["json", "the answer is null", null, true],
  ["json", "", null, false],
  ["json", "no value", "no value", false],
];

it.each(cases)("%s scores %j against %j as %s", (scorer, answer, expected, correct) => {
  expect(COMPARISON[scorer].isCorrect(answer, expected)).toBe(correct);
});

it.each([
  ["exact", { a: 1 }, "needs a text"],
  ["exact", "  ", "no answer at all"],
  ["includes", "", "no answer at all"],
  ["numeric", "none", "needs a number"],
  ["numeric", true, "needs a number"],
  ["regex", "(", "cannot compile"],
  ["regex", ".*", "matches an empty answer"],
  ["regex", 3, "pattern as text"],
] as const)("%s refuses to expect %j", (scorer, expected, reason) => {
  expect(COMPARISON[scorer].refuse(expected)).toContain(reason);
});

it.each([
  ["exact", "Paris"],
  ["numeric", "1,200"],
  ["numeric", -0.5],
  ["includes", true],
  ["regex", "forty-two"],
  ["json", { a: [1, "x"] }],
  ["json", null],
] as const)("%s accepts the reference answer of %j", (scorer, expected) => {
  const reference = COMPARISON[scorer].reference(expected);
  expect(reference).toBeDefined();
  expect(COMPARISON[scorer].isCorrect(reference ?? "", expected)).toBe(true);
});

it("tells no reference answer from a pattern that does not match itself", () => {
  expect(COMPARISON.regex.reference(String.raw`^\d+$`)).toBeUndefined();
});

it("reads a number the same however it is written", () => {
  const written = ["1200.5", "1,200.50", "+1200.5", "12005e-1", "01200.500"];
  expect(new Set(written.map(lastNumber)).size).toBe(1);
  expect(lastNumber("-0")).toBe(lastNumber("0"));
});

it("ends soon on an answer of nothing but brackets", () => {
  expect(COMPARISON.json.isCorrect("[".repeat(200_000), [])).toBe(false);
});
