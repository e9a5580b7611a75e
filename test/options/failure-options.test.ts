import { ModelFailure, StageFailure } from "@agentcompass/core/plugin";
import { expect, it } from "vitest";
import { createPlace, pause, refused } from "./place.ts";

const QUICK = { retry_min_delay_seconds: 0.01, retry_max_delay_seconds: 0.02 };

it("retry_policy: strict does not retry what no retry can mend, and waits as long as the endpoint asks", async () => {
  const place = await createPlace();
  const retries = async (failure: ModelFailure, retry_policy?: string): Promise<number> => {
    place.execution.run = async () => {
      throw failure;
    };
    const policy = retry_policy === undefined ? {} : { retry_policy };
    const run = await place.run({ maxRetries: 1, executionParams: { ...QUICK, ...policy } });
    return (await run.attempt()).retry_count;
  };
  const denied = new ModelFailure("status", "HTTP 401: no such key", { status: 401 });
  const busy = new ModelFailure("status", "HTTP 429: slow down", { status: 429, retryAfterMs: 120 });
  expect([await retries(denied), await retries(denied, "compatible"), await retries(denied, "strict")]).toEqual([
    1, 1, 0,
  ]);
  const startedAt = performance.now();
  expect(await retries(busy, "strict")).toBe(1);
  expect(performance.now() - startedAt).toBeGreaterThan(110);
  expect(await refused(place.run({ executionParams: { retry_policy: "lenient" } }))).toContain(
    "execution.retry_policy",
  );
});

it("fatal_task_limit: so many tasks that end in one FATAL code stop the request; 0 lets all run", async () => {
  const place = await createPlace();
  const executed = async (fatal_task_limit?: number): Promise<number> => {
    let executions = 0;
    place.execution.run = async () => {
      executions += 1;
      throw new StageFailure("fatal", "harness_failed", "no disk");
    };
    const executionParams = fatal_task_limit === undefined ? {} : { fatal_task_limit };
    const run = await place.run({ benchmarkParams: { tasks: 12 }, taskConcurrency: 1, executionParams });
    expect(run.status).toBe("failed");
    expect(run.error.includes("fatal_task_limit")).toBe(fatal_task_limit !== 0);
    return executions;
  };
  expect([await executed(), await executed(4), await executed(0)]).toEqual([10, 4, 12]);
});

it("tell_deadline: the prompt says how many seconds the run has", async () => {
  const place = await createPlace();
  const prompt = async (executionParams: object): Promise<string> => {
    let seen = "";
    place.execution.run = async (ask) => {
      seen = ask.prepared.input.prompt;
      return "42";
    };
    await place.run({ executionParams: { ...executionParams } });
    return seen;
  };
  expect(await prompt({ run_timeout_seconds: 90 })).toBe("6*7");
  expect(await prompt({ tell_deadline: true })).toBe("6*7");
  expect(await prompt({ tell_deadline: true, run_timeout_seconds: 90 })).toMatch(/^6\*7\n\nTime limit: 90 seconds /);
});

it("runresult_collect_timeout_seconds: what a harness collects after its run has a time of its own", async () => {
  const place = await createPlace();
  place.execution.collect = async (ask) => {
    await pause(100, ask.signal);
    return { final_answer: "42" };
  };
  place.execution.run = async () => "41";
  expect((await place.run({ executionParams: { runresult_collect_timeout_seconds: 5 } })).score).toBe(1);
  const slow = await place.run({ executionParams: { runresult_collect_timeout_seconds: 0.02 } });
  expect(slow.status).toBe("failed");
  expect((await slow.attempt()).issues[0]).toMatchObject({
    code: "collect_failed",
    phase: "collect",
    message: "collecting the run's result did not finish within 0.02 s (execution.runresult_collect_timeout_seconds)",
  });
});
