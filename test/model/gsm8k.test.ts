import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DATA_DIR, type Evaluation, evaluate, servedModelId } from "./evaluate.ts";
import { normalAttempts, taskDirectories, temporaryDirectory } from "./results-directory.ts";

const TASKS = 50;
const MAX_TOKENS = 128;
const SERIES = "correct.native@1";

describe("the first 50 of GSM8K against a real model", () => {
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  let run: Evaluation;

  beforeAll(async () => {
    folder = await temporaryDirectory();
    run = await evaluate({
      benchmark: "gsm8k",
      benchmarkParams: { limit: TASKS },
      modelParams: { temperature: 0, max_tokens: MAX_TOKENS },
      resultsDir: folder.path,
      taskConcurrency: 4,
    });
  });

  afterAll(() => folder.remove());

  it("ends with exit status 0 and an official score", () => {
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.result).toMatchObject({ evaluation_failed: false, metadata: { total_tasks: TASKS } });
    expect(run.runInfo.status).toBe("completed");
    expect(run.metrics.series[0]).toMatchObject({
      series_id: SERIES,
      counts: { total: TASKS, evaluated: TASKS, error: 0 },
    });
    expect(run.metrics.series[0].value).toBeGreaterThanOrEqual(0);
    expect(run.metrics.series[0].value).toBeLessThanOrEqual(1);
  });

  it("leaves one directory a task, each with the model's answer and its tokens", async () => {
    const tasks = await taskDirectories(run.directory);
    expect(Object.keys(tasks)).toEqual(["normal"]);
    expect(tasks["normal"]).toHaveLength(TASKS);
    const attempts = await normalAttempts(run.directory);
    expect(attempts.map(({ task }) => task.task_id).sort()).toEqual(
      Array.from({ length: TASKS }, (_, index) => `gsm8k_${index + 1}`).sort(),
    );
    for (const { attempt } of attempts) {
      expect(attempt.final_answer.trim()).not.toBe("");
      const [step] = attempt.trajectory.steps;
      expect(step.metric.completion_tokens_len).toBeGreaterThan(0);
      expect(step.metric.completion_tokens_len).toBeLessThanOrEqual(MAX_TOKENS);
    }
  });

  it("says in metrics.json how sure the score is, and what it took", () => {
    const { series, tokens, latency_ms, calls, time } = run.metrics.statistics;
    const { mean, n, interval } = series[SERIES];
    expect(n).toBe(TASKS);
    expect(mean).toBe(run.metrics.series[0].value);
    expect(interval.low).toBeLessThanOrEqual(mean);
    expect(interval.high).toBeGreaterThanOrEqual(mean);
    expect(interval.high).toBeGreaterThan(interval.low);
    expect(calls).toBe(TASKS);
    expect(tokens.total).toBe(tokens.prompt + tokens.completion);
    expect(tokens.completion).toBeGreaterThan(TASKS);
    expect(tokens.completion).toBeLessThanOrEqual(TASKS * MAX_TOKENS);
    expect(latency_ms.count).toBe(TASKS);
    const ascending = [0, latency_ms.p50, latency_ms.p90, latency_ms.p95, latency_ms.p99, latency_ms.max];
    expect(ascending).toEqual([...ascending].sort((left, right) => left - right));
    expect(latency_ms.p50).toBeGreaterThan(1);
    expect(time.working_seconds).toBeGreaterThan(0);
  });

  it("adds up the tokens of the attempts", async () => {
    const attempts = await normalAttempts(run.directory);
    const completion = attempts.map(({ attempt }) => attempt.trajectory.steps[0].metric.completion_tokens_len);
    expect(completion.reduce((sum, tokens) => sum + tokens, 0)).toBe(run.metrics.statistics.tokens.completion);
  });

  it("shows tokens, latency percentiles and the interval in summary.md", () => {
    const { series, tokens, latency_ms } = run.metrics.statistics;
    const { low, high } = series[SERIES].interval;
    expect(run.summary).toContain("# GSM8K Evaluation Results");
    expect(run.summary).toContain(`${low.toFixed(4)} to ${high.toFixed(4)}`);
    expect(run.summary).toMatch(new RegExp(`\\| ${tokens.completion} +\\|.* ${tokens.total} +\\|`));
    for (const name of ["p50", "p90", "p95", "p99"]) {
      expect(run.summary).toContain(`${name} (ms)`);
      expect(run.summary).toContain(latency_ms[name].toFixed(1));
    }
  });

  it("keeps in run_info.json which data and which model gave the score", async () => {
    const path = join(DATA_DIR, "gsm8k", "test.jsonl");
    const bytes = await readFile(path);
    const { data, model } = run.runInfo.provenance;
    expect(data).toMatchObject({
      source: path,
      checksum: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
      tasks_available: bytes.toString("utf8").trim().split("\n").length,
    });
    expect(model).toEqual({ returned_ids: [await servedModelId()], calls: TASKS, reached: TASKS });
  });
});
