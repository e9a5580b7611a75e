import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { normalAttempts, temporaryDirectory } from "./results-directory.ts";

// A model of 135 million parameters knows most sums of two digits and hardly any of three-digit numbers.
const SUMS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "one digit": [
    [6, 3],
    [5, 9],
    [7, 5],
    [8, 9],
    [1, 9],
    [2, 2],
    [9, 1],
    [4, 1],
    [1, 7],
    [9, 8],
  ],
  "two digits": [
    [76, 1],
    [65, 5],
    [28, 9],
    [16, 8],
    [23, 1],
    [74, 7],
    [87, 8],
    [85, 7],
    [13, 4],
    [23, 6],
  ],
  "three digits": [
    [444, 369],
    [811, 381],
    [887, 602],
    [280, 515],
    [616, 473],
    [368, 856],
    [640, 417],
    [745, 628],
    [459, 616],
    [313, 177],
  ],
};

/** Sums that are shown with their answers before each question. */
const SHOWN = [
  [2, 3],
  [10, 7],
  [21, 34],
] as const;

describe("a user's own file of two-number sums against a real model", () => {
  const lines = Object.entries(SUMS).flatMap(([category, sums]) =>
    sums.map(([left, right]) => ({
      id: `${left}+${right}`,
      category,
      input: [
        ...SHOWN.flatMap(([first, second]) => [
          { role: "user", content: `${first} + ${second} = ?` },
          { role: "assistant", content: `${first} + ${second} = ${first + second}` },
        ]),
        { role: "user", content: `${left} + ${right} = ?` },
      ],
      expected: left + right,
    })),
  );
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  let run: Evaluation;

  beforeAll(async () => {
    folder = await temporaryDirectory();
    const path = join(folder.path, "sums.jsonl");
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    run = await evaluate({
      benchmark: "jsonl",
      benchmarkParams: { path, scorer: "numeric" },
      modelParams: { temperature: 0, max_tokens: 16 },
      resultsDir: join(folder.path, "results"),
      taskConcurrency: 4,
    });
  });

  afterAll(() => folder.remove());

  it("gives a score strictly between 0 and 1 over all 30", () => {
    expect(run.exitCode, run.stderr).toBe(0);
    const [series] = run.metrics.series;
    expect(series).toMatchObject({ series_id: "correct.native@1", counts: { total: 30, evaluated: 30, error: 0 } });
    expect(series.value).toBeGreaterThan(0);
    expect(series.value).toBeLessThan(1);
    expect(run.result.summary.metrics["correct.native@1"]).toBe(series.value);
    process.stderr.write(`sums: score ${series.value.toFixed(4)}\n`);
  });

  it("counts as right exactly the answers that end in the sum", async () => {
    const attempts = await normalAttempts(run.directory);
    expect(attempts).toHaveLength(30);
    for (const { task, attempt } of attempts) {
      const last = Number(attempt.final_answer.match(/\d+/g)?.at(-1));
      expect({ id: task.task_id, correct: attempt.metrics.correct }).toEqual({
        id: task.task_id,
        correct: last === task.ground_truth,
      });
    }
    const right = attempts.filter(({ attempt }) => attempt.metrics.correct).length;
    expect(run.metrics.series[0].value).toBeCloseTo(right / 30, 12);
  });

  it("finds one-digit sums easier than those of three digits", () => {
    const { categories } = run.metrics.series[0];
    expect(categories["one digit"].value).toBeGreaterThan(categories["three digits"].value);
    expect(run.metrics.statistics.series["correct.native@1"].categories["one digit"].n).toBe(10);
  });
});
