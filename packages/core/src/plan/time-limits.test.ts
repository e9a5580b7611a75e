import { describe, expect, it } from "vitest";
import { EXECUTION_DEFAULTS } from "../spec/defaults.ts";
import type { ExecutionSpec } from "../spec/resolved.ts";
import type { ExecutionPlan } from "./execution-plan.ts";
import { timeLimits } from "./time-limits.ts";

type Times = { readonly run_timeout_seconds?: number; readonly evaluation_timeout_seconds?: number };

function limits(execution: Partial<ExecutionSpec>, plan: Times, task: Times = {}, byHarness: number | null = null) {
  return timeLimits({
    execution: { ...EXECUTION_DEFAULTS, task_concurrency: 1, ...execution },
    task: { task_id: "t", category: null, ground_truth: null, metadata: {}, ...task },
    harness: { id: "agent", defaultRunTimeoutSeconds: byHarness },
    plan: {
      run_timeout_seconds: null,
      evaluation_timeout_seconds: null,
      run_timer_compensation_seconds: execution.run_timer_compensation_seconds ?? 120,
      runresult_collect_timeout_seconds: 60,
      environment: { setup: { build_timeout_seconds: 9 } },
      ...plan,
    } as ExecutionPlan,
  });
}

describe("timeLimits", () => {
  it("names the option, its multiplier and the compensation of a run", () => {
    const execution = { run_timeout_seconds: 30, timeout_multiplier: 1.5, run_timer_compensation_seconds: 5 };
    expect(limits(execution, { run_timeout_seconds: 45 }).run).toEqual({
      seconds: 50,
      source: "execution.run_timeout_seconds 30 x timeout_multiplier 1.5 + run_timer_compensation_seconds 5",
    });
  });

  it("names a multiplier of its own before the general one", () => {
    const general = { timeout_multiplier: 2, run_timeout_multiplier: 3, evaluation_timeout_multiplier: 4 };
    const found = limits({ ...general, run_timeout_seconds: 1 }, {}, { evaluation_timeout_seconds: 5 });
    expect(found.run.source).toContain("run_timeout_seconds 1 x run_timeout_multiplier 3");
    expect(found.evaluation.source).toBe(
      "the task's evaluation_timeout_seconds 5 x evaluation_timeout_multiplier 4; execution.evaluation_timeout_seconds changes it",
    );
  });

  it("names the task or the harness where they set the time, and the option that changes it", () => {
    const change = "execution.run_timeout_seconds changes it";
    expect(limits({}, {}, { run_timeout_seconds: 7 }, 9).run.source).toBe(
      `the task's run_timeout_seconds 7 + run_timer_compensation_seconds 120; ${change}`,
    );
    expect(limits({}, {}, {}, 14_400).run.source).toBe(
      `default of harness agent 14400 + run_timer_compensation_seconds 120; ${change}`,
    );
  });

  it("says when a recipe planned other seconds", () => {
    expect(limits({ run_timeout_seconds: 30 }, { run_timeout_seconds: 99 }).run.source).toContain(
      "99 as planned by a recipe + run_timer_compensation_seconds 120",
    );
  });

  it("has no limit where nothing sets one", () => {
    const found = limits({}, {});
    expect([found.run.seconds, found.evaluation.seconds]).toEqual([null, null]);
    expect([found.build.seconds, found.collect.seconds]).toEqual([9, 60]);
  });
});
