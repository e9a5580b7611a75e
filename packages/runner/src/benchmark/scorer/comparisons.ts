import { isDeepStrictEqual } from "node:util";
import { firstJson } from "./first-json.ts";
import { lastNumber } from "./number.ts";
import type { Comparison } from "./scorer.ts";

/** Equal texts after trimming both; case and inner blanks count. */
export const exact: Comparison = {
  refuse: refuseText,
  isCorrect: (answer, expected) => answer.trim() === asText(expected).trim(),
  reference: asText,
};

/** The last number in the answer has exactly the expected value: `1,200.50` is 1200.5; thousands commas, sign and exponent allowed. */
export const numeric: Comparison = {
  refuse: (expected) => {
    const isNumber = (typeof expected === "string" || typeof expected === "number") && lastNumber(asText(expected));
    return isNumber ? undefined : "scorer numeric needs a number, or a text with one";
  },
  isCorrect: (answer, expected) => lastNumber(answer) === lastNumber(asText(expected)),
  reference: asText,
};

/** The answer contains the expected text (trimmed), upper and lower case apart. */
export const includes: Comparison = {
  refuse: refuseText,
  isCorrect: (answer, expected) => answer.includes(asText(expected).trim()),
  reference: asText,
};

/** The expected JavaScript pattern (no flags, so `^` and `$` are the ends of the answer) matches somewhere in the answer. */
export const regex: Comparison = {
  refuse: (expected) => {
    if (typeof expected !== "string") return "scorer regex needs a pattern as text";
    try {
      return new RegExp(expected).test("") ? "the pattern matches an empty answer" : undefined;
    } catch {
      return `scorer regex cannot compile the pattern ${JSON.stringify(expected)}`;
    }
  },
  isCorrect: (answer, expected) => new RegExp(asText(expected)).test(answer),
  reference: (expected) => (new RegExp(asText(expected)).test(asText(expected)) ? asText(expected) : undefined),
};

/** The first JSON value in the answer is deeply equal to the expected one; the order of keys plays no part. */
export const json: Comparison = {
  refuse: () => undefined,
  isCorrect: (answer, expected) => {
    const found = firstJson(answer);
    return found !== undefined && isDeepStrictEqual(found.value, expected);
  },
  reference: (expected) => JSON.stringify(expected),
};

/** A text, number or boolean that is not empty can be expected as text. */
export function refuseText(expected: unknown): string | undefined {
  if (typeof expected !== "string" && typeof expected !== "number" && typeof expected !== "boolean")
    return "this scorer needs a text, a number or true or false (scorer json takes any value)";
  return asText(expected).trim() === "" ? "an empty expectation would be met by no answer at all" : undefined;
}

export function asText(expected: unknown): string {
  return typeof expected === "string" ? expected : JSON.stringify(expected);
}
