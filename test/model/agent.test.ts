import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Evaluation, evaluate, type Json } from "./evaluate.ts";
import { allAttempts, temporaryDirectory } from "./results-directory.ts";

const TASKS = 2;
const STEPS = 4;
/** A model of this size solves nothing; what ends it may be any rule of the agent, or its small context. */
const ENDS = ["Submitted", "LimitsExceeded", "RepeatedFormatError", "ModelFailure"];
const CODES = ["harness_max_iterations", "harness_format_error", "model_context_overflow"];

describe("mini_swe_agent with a real model on starter tasks", () => {
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  let run: Evaluation;
  let attempts: readonly Json[];

  beforeAll(async () => {
    folder = await temporaryDirectory();
    run = await evaluate({
      benchmark: "starter",
      harness: "mini_swe_agent",
      benchmarkParams: { limit: TASKS },
      harnessParams: { step_limit: STEPS, command_timeout: 5 },
      modelParams: { temperature: 0, max_tokens: 96 },
      resultsDir: folder.path,
      taskConcurrency: TASKS,
    });
    attempts = await allAttempts(run.directory);
  });

  afterAll(() => folder.remove());

  it("ends every task by a rule of the agent and scores it", () => {
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.runInfo.status).toBe("completed");
    expect(run.metrics.series[0].counts).toMatchObject({ total: TASKS, evaluated: TASKS });
    expect(attempts).toHaveLength(TASKS);
    for (const { issues, metrics } of attempts) {
      expect(metrics.correct).toBeTypeOf("boolean");
      const codes = issues.filter(({ phase }: Json) => phase !== "evaluate").map(({ code }: Json) => code);
      for (const code of codes) expect(CODES).toContain(code);
    }
  });

  it("leaves what the model said and did, step by step", () => {
    for (const { trajectory, artifacts, meta } of attempts) {
      const { info, messages } = artifacts.mini_swe_agent_raw_trajectory;
      expect(ENDS).toContain(info.exit_status);
      expect(messages.map(({ role }: Json) => role).slice(0, 2)).toEqual(["system", "user"]);
      expect(messages.at(-1).role).toBe("exit");
      expect(trajectory.steps.length).toBeGreaterThan(0);
      expect(trajectory.steps.length).toBeLessThanOrEqual(STEPS);
      expect(trajectory.steps.length).toBeLessThanOrEqual(meta.harness.telemetry.api_calls);
      for (const { metric } of trajectory.steps) expect(metric.completion_tokens_len).toBeGreaterThan(0);
    }
  });

  it("counts every call of the model", () => {
    const calls = attempts.reduce((sum, { meta }) => sum + meta.harness.telemetry.api_calls, 0);
    expect(run.runInfo.provenance.model.calls).toBe(calls);
    process.stderr.write(`agent: ${calls} calls, ${attempts.map(({ meta }) => meta.harness.telemetry.exit_status)}\n`);
  });
});
