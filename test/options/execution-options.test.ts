import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { StageFailure } from "@agentcompass/core/plugin";
import { expect, it } from "vitest";
import { countOverlap, createPlace, HOST, namesIn, type Place, pause } from "./place.ts";

const QUICK = { retry_min_delay_seconds: 0.01, retry_max_delay_seconds: 0.02 };

function failing(severity: "error" | "fatal", until: number): NonNullable<Place["execution"]["run"]> {
  return async (_ask, execution) => {
    if (execution < until) throw new StageFailure(severity, "harness_failed", `broken pipe ${execution}`);
    return "42";
  };
}

it("taskConcurrency: executions at the same time, by option, file and configuration", async () => {
  const place = await createPlace();
  const most = async (start: () => Promise<unknown>): Promise<number> => {
    const overlap = countOverlap();
    place.execution.run = () => overlap.during(() => pause(30)).then(() => "42");
    await start();
    return overlap.most;
  };
  const benchmarkParams = { tasks: 4 };
  expect(await most(() => place.run({ benchmarkParams, taskConcurrency: 2 }))).toBe(2);
  expect(await most(() => place.run({ benchmarkParams }))).toBe(4);
  await place.write("config.yaml", { execution: { task_concurrency: 3 } });
  expect(await most(() => place.run({ benchmarkParams }))).toBe(3);
  const request = {
    name: "one",
    benchmark: { id: "work", tasks: 4 },
    harness: { id: "worker" },
    environment: HOST,
    model: { id: "none" },
  };
  expect(await most(() => place.launch({ task_concurrency: 1, requests: [request] }))).toBe(1);
});

it("k: attempts a task, each with a result of its own", async () => {
  const place = await createPlace();
  place.execution.run = async (_ask, execution) => (execution === 2 ? "41" : "42");
  const run = await place.run({ k: 3 });
  expect(run.result.metrics.series.map((one: { series_id: string }) => one.series_id)).toEqual([
    "correct.avg@3",
    "correct.pass@3",
  ]);
  expect(run.score).toBeCloseTo(2 / 3);
  const answers = await Promise.all([1, 2, 3].map(async (attempt) => (await run.attempt(1, attempt)).final_answer));
  expect(answers.sort()).toEqual(["41", "42", "42"]);
});

it("attemptStrategy: pass stops at the first success, avg does not", async () => {
  const place = await createPlace();
  const count = async (attemptStrategy: string): Promise<number> => {
    let executions = 0;
    place.execution.run = async () => {
      executions += 1;
      return executions === 2 ? "42" : "41";
    };
    await place.run({ k: 4, attemptStrategy });
    return executions;
  };
  expect(await count("pass")).toBe(2);
  expect(await count("avg")).toBe(4);
});

it("maxRetries: extra executions of an attempt that ended fatally; below 0 counts as 0", async () => {
  const place = await createPlace();
  place.execution.run = failing("fatal", 3);
  const enough = await place.run({ maxRetries: 2, executionParams: QUICK });
  expect([enough.status, enough.score, (await enough.attempt()).retry_count]).toEqual(["completed", 1, 2]);
  const other = await createPlace();
  other.execution.run = failing("fatal", 3);
  expect((await other.run({ maxRetries: 1, executionParams: QUICK })).status).toBe("failed");
  other.execution.run = async () => {
    throw new StageFailure("fatal", "harness_failed", "always");
  };
  const none = await other.run({ maxRetries: -1, executionParams: QUICK, runId: "none" });
  expect((await none.attempt()).retry_count).toBe(0);
});

it("retryPatternList: an ERROR is retried only when a pattern is found in its code or message", async () => {
  const retries = async (retryPatternList?: readonly string[]): Promise<number> => {
    const place = await createPlace();
    place.execution.run = failing("error", 2);
    const run = await place.run({
      maxRetries: 1,
      executionParams: QUICK,
      ...(retryPatternList && { retryPatternList }),
    });
    return (await run.attempt()).retry_count;
  };
  expect(await retries()).toBe(0);
  expect(await retries(["timeout", "socket"])).toBe(0);
  expect(await retries(["timeout", "pipe \\d"])).toBe(1);
  expect(await retries(["^harness_"])).toBe(1);
});

it("retry_min_delay_seconds, retry_max_delay_seconds: bounds of the wait before a retry", async () => {
  const place = await createPlace();
  place.execution.run = failing("fatal", 4);
  const delays: number[] = [];
  await place.run({
    maxRetries: 3,
    executionParams: { retry_min_delay_seconds: 0.02, retry_max_delay_seconds: 0.04 },
    onProgress: (event) => {
      if (event.event === "attempt_retry") delays.push(Number(event.payload["retry_delay_seconds"]));
    },
  });
  expect(delays).toHaveLength(3);
  for (const [index, bases] of [0.02, 0.04, 0.04].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(bases / 2);
    expect(delays[index]).toBeLessThanOrEqual(bases);
  }
});

/** Seconds until the harness was stopped, or "not" when it was not. */
async function stoppedAfter(
  place: Place,
  executionParams: Readonly<Record<string, unknown>>,
): Promise<"stopped" | "not"> {
  place.execution.run = async (ask) => {
    await pause(150, ask.signal);
    return "42";
  };
  const run = await place.run({ executionParams });
  return (await run.attempt()).status === "completed" ? "not" : "stopped";
}

it("run_timeout_seconds: the harness is stopped; the answer is then scored as it is", async () => {
  const place = await createPlace();
  const fast = { run_timer_compensation_seconds: 0.01 };
  expect(await stoppedAfter(place, { ...fast, run_timeout_seconds: 0.02 })).toBe("stopped");
  expect(await stoppedAfter(place, { ...fast, run_timeout_seconds: 5 })).toBe("not");
  place.execution.task = { run_timeout_seconds: 0.02 };
  expect(await stoppedAfter(place, fast)).toBe("stopped");
  expect(await stoppedAfter(place, { ...fast, run_timeout_seconds: 5 })).toBe("not");
});

it("run_timer_compensation_seconds: the run's watchdog waits so much longer", async () => {
  const place = await createPlace();
  const late = { run_timeout_seconds: 0.02 };
  expect(await stoppedAfter(place, { ...late, run_timer_compensation_seconds: 5 })).toBe("not");
  expect(await stoppedAfter(place, { ...late, run_timer_compensation_seconds: 0.01 })).toBe("stopped");
});

it("evaluation_timeout_seconds: a scoring that takes longer gives the metrics of a timeout", async () => {
  const place = await createPlace();
  place.execution.evaluate = async (ask) => {
    await pause(150, ask.signal);
    return { metrics: { correct: true } };
  };
  const slow = await place.run({ executionParams: { evaluation_timeout_seconds: 0.02 } });
  expect([slow.score, (await slow.attempt()).status]).toEqual([0, "eval_error"]);
  expect((await place.run({ executionParams: { evaluation_timeout_seconds: 5 } })).score).toBe(1);
  place.execution.task = { evaluation_timeout_seconds: 0.02 };
  expect((await place.run()).score).toBe(0);
});

async function plannedTimeouts(place: Place, executionParams: object): Promise<readonly unknown[]> {
  const timeouts = { run_timeout_seconds: 10, evaluation_timeout_seconds: 20 };
  const run = await place.run({ executionParams: { ...timeouts, ...executionParams } });
  const plan = (await run.json("run_info.json")).resolved_execution_plans.t1.attempts["1"];
  return [plan.run_timeout_seconds, plan.evaluation_timeout_seconds];
}

it("timeout_multiplier: scales the time of the run and of the scoring", async () => {
  const place = await createPlace();
  expect(await plannedTimeouts(place, {})).toEqual([10, 20]);
  expect(await plannedTimeouts(place, { timeout_multiplier: 2 })).toEqual([20, 40]);
  const stopped = { run_timer_compensation_seconds: 0.01, run_timeout_seconds: 2 };
  expect(await stoppedAfter(place, { ...stopped, timeout_multiplier: 0.01 })).toBe("stopped");
});

it("run_timeout_multiplier, evaluation_timeout_multiplier: each replaces the general multiplier", async () => {
  const place = await createPlace();
  const general = { timeout_multiplier: 2 };
  expect(await plannedTimeouts(place, { ...general, run_timeout_multiplier: 3 })).toEqual([30, 40]);
  expect(await plannedTimeouts(place, { ...general, evaluation_timeout_multiplier: 5 })).toEqual([20, 100]);
});

it("keepEnvironment: the session's directory stays after a task", async () => {
  const place = await createPlace();
  const workdirs: string[] = [];
  place.execution.run = async (ask) => {
    await ask.session.writeText("left.txt", "here");
    workdirs.push(ask.session.workdir);
    return "42";
  };
  await place.run();
  await place.run({ keepEnvironment: true });
  const [closed = "", kept = ""] = workdirs;
  expect(await namesIn(closed)).toEqual([]);
  expect(await namesIn(kept)).toEqual(["left.txt"]);
  await rm(dirname(kept), { recursive: true });
});

it("enableAnalysis: who asks for it is told once that no analyzer is installed; by default that is a detail, and off is nothing", async () => {
  const place = await createPlace();
  const said = async (options: Parameters<Place["run"]>[0] = {}): Promise<string[]> => {
    const records: { readonly level: string; readonly message: string }[] = [];
    const onLog = (record: (typeof records)[number]): void => void records.push(record);
    await place.run({ benchmarkParams: { tasks: 3 }, logLevel: "DEBUG", onLog, ...options });
    return records.filter(({ message }) => message.includes("no analyzer is installed")).map(({ level }) => level);
  };
  expect(await said()).toEqual(["DEBUG"]);
  expect(await said({ enableAnalysis: false })).toEqual([]);
  expect(await said({ enableAnalysis: true })).toEqual(["INFO"]);
  expect(await said({ executionParams: { enable_analysis: true } })).toEqual(["INFO"]);
  await place.write("config.yaml", { execution: { enable_analysis: true } });
  expect(await said()).toEqual(["INFO"]);
  expect(await said({ enableAnalysis: false })).toEqual([]);
});

const PARTS = { benchmark: { id: "work" }, harness: { id: "worker" }, environment: HOST, model: { id: "none" } };

it("enable_analysis: asked for by defaults or one request of a file is told once", async () => {
  const place = await createPlace();
  const said = async (defaults: object, ...requests: readonly object[]): Promise<string[]> => {
    const levels: string[] = [];
    await place.launch(
      {
        defaults: { ...PARTS, ...defaults },
        requests: requests.map((execution, index) => ({ name: `r${index}`, execution })),
      },
      { onLog: ({ level, message }) => void (message.includes("no analyzer is installed") && levels.push(level)) },
    );
    return levels;
  };
  expect(await said({}, {}, {})).toEqual([]);
  expect(await said({ execution: { enable_analysis: true } }, {}, {})).toEqual(["INFO"]);
  expect(await said({}, {}, { enable_analysis: true })).toEqual(["INFO"]);
});

it("analysisParams: replaces the configured ones as a whole", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { execution: { analysis_params: { reference_dir: "configured" } } });
  const shown = async (options: Parameters<Place["run"]>[0]): Promise<Record<string, unknown>> =>
    (await (await place.run({ ...options, enableAnalysis: false })).json("run_info.json")).request.execution
      .analysis_params;
  expect(await shown({})).toMatchObject({ reference_dir: "configured", task_concurrency: 1 });
  expect(await shown({ analysisParams: { mine: 1 } })).toEqual({ mine: 1 });
});

it("executionParams: merged over the configured execution, field by field", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { execution: { max_retries: 2, attempts: { k: 2 } } });
  const run = await place.run({ executionParams: { attempts: { strategy: "pass" } } });
  const { execution } = (await run.json("run_info.json")).request;
  expect(execution).toMatchObject({ max_retries: 2, attempts: { k: 2, strategy: "pass" } });
});

it("executionParams: an option of its own goes over the same field, and leaves its neighbours", async () => {
  const place = await createPlace();
  const run = await place.run({
    executionParams: { attempts: { k: 3 }, max_retries: 9 },
    attemptStrategy: "pass",
    maxRetries: 1,
  });
  const { execution } = (await run.json("run_info.json")).request;
  expect(execution).toMatchObject({ attempts: { k: 3, strategy: "pass" }, max_retries: 1 });
});
