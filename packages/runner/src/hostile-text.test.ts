import { expect, it } from "vitest";
import { candidateProgram } from "./benchmark/humaneval/program.ts";
import { firstJson } from "./benchmark/scorer/first-json.ts";
import { lastNumber } from "./benchmark/scorer/number.ts";
import { submissionOf } from "./harness/mini-swe-agent/submission.ts";
import { SUBMIT_MARKER } from "./harness/mini-swe-agent/wording.ts";
import { isContextOverflow } from "./model/refusal.ts";

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "the program of an answer": (text) =>
    candidateProgram(text, { prompt: "def area(r):\n", entry_point: "area" }).parts.length,
  "the last number": lastNumber,
  "the first JSON value": firstJson,
  "a submission": (text) =>
    submissionOf({ output: SUBMIT_MARKER + text, returncode: 0, exception_info: "", dropped_bytes: 0 }),
  "a refusal": (text) => isContextOverflow({ status: 400, text, code: null }),
};

const UNITS = [
  ...'~`:#[]{}"\\ \n\t01a.,-_',
  ":#",
  ",111",
  "1,",
  '\\"',
  '["',
  '{"',
  '{"a":',
  "[{",
  "1.",
  "1e",
  "~~~\n",
  "```\n",
  "def area",
  "async ",
  "exceed",
  "maximum ",
  "input token count",
  "exceeds context ",
];
const AROUND = [
  ["", ""],
  ["", "x"],
  ["", "`"],
  ["", "\u2028"],
  ["1", "1"],
  ['"', ""],
  ['["', "\\"],
] as const;
const REPEATS = 60_000;
/** Where a pattern starts anew from each place in a text of this length it takes several seconds. */
const MOST_MS = 1500;

it.each(Object.entries(READERS))(
  "finds %s in texts that repeat themselves without reading them again and again",
  { timeout: 120_000 },
  (_name, read) => {
    const slow: string[] = [];
    for (const unit of UNITS)
      for (const [start, end] of AROUND) {
        const startedAt = performance.now();
        read(start + unit.repeat(REPEATS / unit.length) + end);
        if (performance.now() - startedAt > MOST_MS) slow.push(JSON.stringify([start, unit, end]));
      }
    expect(slow).toEqual([]);
  },
);
