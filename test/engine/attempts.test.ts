import { EnvironmentFailure, ModelFailure, StageFailure } from "@agentcompass/core/plugin";
import { taskKey } from "@agentcompass/core/record";
import { describe, expect, it } from "vitest";
import { createScenario, json } from "./scenario.ts";

const resultOf = (
  scenario: ReturnType<typeof createScenario>,
  state: "normal" | "error" | "fatal",
  task = "t1",
  attempt = 1,
) => json(scenario, `${taskKey(state, task)}/attempt-${attempt}/result.json`);

describe("an attempt", () => {
  it("ends completed with its metric, and its environment is closed", async () => {
    const scenario = createScenario();
    const { result } = await scenario.finish();
    expect(result.status).toBe("completed");
    expect(resultOf(scenario, "normal")).toMatchObject({ status: "completed", metrics: { correct: true } });
    expect(scenario.open.size).toBe(0);
    expect(await scenario.permits.counts()).toEqual({});
  });

  it("fails its request when a harness throws, and keeps the others", async () => {
    const scenario = createScenario({
      tasks: [{ task_id: "t1" }, { task_id: "t2" }],
      behaviour: { t1: { run: () => Promise.reject(new TypeError("broken agent")) } },
    });
    const { result } = await scenario.finish();
    expect(result.status).toBe("partial_failure");
    expect(resultOf(scenario, "fatal").issues).toEqual([
      { severity: "fatal", phase: "run", code: "harness_failed", message: "broken agent" },
    ]);
    expect(resultOf(scenario, "normal", "t2").status).toBe("completed");
    expect(json(scenario, "metrics.json")).toMatchObject({ evaluation_failed: true });
  });

  it("is not evaluated after a fatal issue, but after an error", async () => {
    const evaluated: string[] = [];
    const evaluate = (id: string) => async () => {
      evaluated.push(id);
      return { metrics: { correct: false } };
    };
    const scenario = createScenario({
      tasks: [{ task_id: "fatal" }, { task_id: "error" }],
      behaviour: {
        fatal: { run: () => Promise.reject(new StageFailure("fatal", "x", "f")), evaluate: evaluate("fatal") },
        error: { run: () => Promise.reject(new StageFailure("error", "x", "e")), evaluate: evaluate("error") },
      },
    });
    await scenario.finish();
    expect(evaluated).toEqual(["error"]);
    expect(resultOf(scenario, "error", "error")).toMatchObject({ status: "run_error", metrics: { correct: false } });
  });

  it("is ended by its run timeout plus compensation and evaluated all the same", async () => {
    const scenario = createScenario({
      behaviour: {
        t1: {
          run: ({ signal }) =>
            new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        },
      },
      orchestration: {
        requests: [
          {
            name: "one",
            execution: { run_timeout_seconds: 10, run_timer_compensation_seconds: 5, timeout_multiplier: 2 },
          },
        ],
      },
    });
    const startedAt = scenario.clock.now();
    await scenario.finish();
    expect(scenario.clock.now() - startedAt).toBeGreaterThanOrEqual(25_000);
    expect(scenario.clock.now() - startedAt).toBeLessThan(30_000);
    expect(resultOf(scenario, "error")).toMatchObject({
      status: "run_error",
      metrics: { correct: true },
      issues: [{ severity: "error", phase: "run", code: "run_failed" }],
    });
  });

  it("has the declared metrics when its evaluation times out", async () => {
    const scenario = createScenario({
      behaviour: { t1: { evaluate: () => new Promise(() => {}) } },
      orchestration: { requests: [{ name: "one", execution: { evaluation_timeout_seconds: 3 } }] },
    });
    await scenario.finish();
    expect(resultOf(scenario, "error")).toMatchObject({
      status: "eval_error",
      metrics: { correct: false },
      issues: [{ phase: "evaluate", code: "evaluate_failed" }],
    });
  });

  it("is fatal when the benchmark reports a metric that it never declared", async () => {
    const scenario = createScenario({ behaviour: { t1: { evaluate: async () => ({ metrics: { speed: 1 } }) } } });
    await scenario.finish();
    expect(resultOf(scenario, "error")).toMatchObject({ metrics: {}, issues: [{ code: "evaluate_failed" }] });
  });
});

describe("retries", () => {
  const execution = { max_retries: 2, retry_min_delay_seconds: 4, retry_max_delay_seconds: 8 };

  it("repeat a fatal attempt, hold no permit while they wait and keep what they threw away", async () => {
    let heldWhileWaiting = 0;
    const scenario = createScenario({
      behaviour: {
        t1: {
          run: async (_ask, count) => {
            if (count < 3) throw new EnvironmentFailure("gone");
            return "42";
          },
        },
      },
      orchestration: { requests: [{ name: "one", execution }] },
    });
    const done = scenario.start();
    for (let step = 0; step < 2; step += 1) {
      await scenario.clock.advance(500);
      heldWhileWaiting += Object.values(await scenario.permits.counts()).reduce((sum, count) => sum + count, 0);
      await scenario.clock.advance(step === 0 ? 3500 : 0);
    }
    await scenario.clock.runUntil(done);
    expect(heldWhileWaiting).toBe(0);
    expect(scenario.executions).toEqual(["t1", "t1", "t1"]);
    expect(resultOf(scenario, "normal")).toMatchObject({ status: "completed", retry_count: 2 });
    const names = (await scenario.store.list("one/r/details/normal")).filter((key) => key.includes("/retries/"));
    expect(names.map((name) => name.slice(name.indexOf(".attempt")))).toEqual([
      ".attempt1.retry1.attempt.json",
      ".attempt1.retry2.attempt.json",
    ]);
    expect(await scenario.permits.counts()).toEqual({});
  });

  it("repeat an evaluation alone when it needs no environment", async () => {
    let evaluations = 0;
    const scenario = createScenario({
      behaviour: {
        t1: {
          evaluate: async () => {
            evaluations += 1;
            if (evaluations === 1) throw new StageFailure("fatal", "judge_failed", "judge is away");
            return { metrics: { correct: true } };
          },
        },
      },
      orchestration: { requests: [{ name: "one", execution }] },
    });
    await scenario.finish();
    expect(scenario.executions).toEqual(["t1"]);
    expect(resultOf(scenario, "normal")).toMatchObject({ status: "completed", retry_count: 1 });
    const retries = scenario.events.filter((event) => event.event === "attempt_retry");
    expect(retries.map((event) => event.payload["scope"])).toEqual(["evaluate"]);
  });

  it("repeat an error only when a pattern finds it", async () => {
    const failing = {
      t1: { run: () => Promise.reject(new ModelFailure("status", "HTTP 418: teapot", { status: 418 })) },
    };
    const plain = createScenario({ behaviour: failing, orchestration: { requests: [{ name: "one", execution }] } });
    await plain.finish();
    expect(plain.executions).toHaveLength(1);
    const patterns = { ...execution, retry_pattern_list: ["nothing", "41\\d"] };
    const matched = createScenario({
      behaviour: failing,
      orchestration: { requests: [{ name: "one", execution: patterns }] },
    });
    await matched.finish();
    expect(matched.executions).toHaveLength(3);
    expect(resultOf(matched, "error")).toMatchObject({ retry_count: 2 });
  });
});

describe("attempts of a task", () => {
  it("run one after the other unless benchmark and harness are safe together", async () => {
    const inFlight = async (parallel: boolean): Promise<number> => {
      let now = 0;
      let most = 0;
      const scenario = createScenario({
        parallel,
        behaviour: {
          t1: {
            run: async ({ clock }) => {
              now += 1;
              most = Math.max(most, now);
              await clock.sleep(10);
              now -= 1;
            },
          },
        },
        orchestration: { requests: [{ name: "one", execution: { attempts: { k: 3 } } }] },
      });
      await scenario.finish();
      return most;
    };
    expect(await inFlight(false)).toBe(1);
    expect(await inFlight(true)).toBe(3);
  });

  it("stop after a success with strategy pass", async () => {
    const answers = [false, true, true];
    const scenario = createScenario({
      behaviour: { t1: { evaluate: async () => ({ metrics: { correct: answers.shift() ?? true } }) } },
      orchestration: { requests: [{ name: "one", execution: { attempts: { k: 3, strategy: "pass" } } }] },
    });
    await scenario.finish();
    expect(scenario.executions).toHaveLength(2);
    expect(json(scenario, "metrics.json")).toMatchObject({ series: [{ series_id: "correct.pass@3", value: 1 }] });
  });
});
