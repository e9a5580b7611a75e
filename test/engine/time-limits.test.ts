import { ModelFailure, type PreparedTask } from "@agentcompass/core/plugin";
import { taskKey } from "@agentcompass/core/record";
import { FakeClock } from "@agentcompass/core/testing";
import { describe, expect, it } from "vitest";
import { type Behaviour, createScenario, json, type Scenario, type ScenarioOptions } from "./scenario.ts";

type State = "normal" | "error" | "fatal";

const never: () => Promise<never> = () => new Promise(() => {});

async function run(options: ScenarioOptions, execution: object = {}, request: object = {}): Promise<Scenario> {
  const scenario = createScenario({
    ...options,
    orchestration: { requests: [{ name: "one", execution, ...request }], ...options.orchestration },
  });
  await scenario.finish();
  return scenario;
}

const attempt = (scenario: Scenario, state: State) => json(scenario, `${taskKey(state, "t1")}/attempt-1/result.json`);
const one = (behaviour: Behaviour): ScenarioOptions => ({ behaviour: { t1: behaviour } });

describe("a time limit names its layer, its seconds and its option:", () => {
  it("the orchestration", async () => {
    const scenario = createScenario({ ...one({ run: never }), orchestration: { runtime: { timeout_seconds: 6 } } });
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.error).toBe("the orchestration did not finish within 6 s (runtime.timeout_seconds)");
  });

  it("the building of the environment, without the wait for a place in the queue", async () => {
    const clock = new FakeClock();
    const scenario = createScenario({
      clock,
      tasks: [{ task_id: "t0" }, { task_id: "t1" }],
      open: (count) => clock.sleep(count === 1 ? 4000 : 6000),
      orchestration: {
        task_concurrency: 2,
        runtime: { provider_limits: { place: 1 } },
        requests: [{ name: "one", environment: { setup: { build_timeout_seconds: 5 } } }],
      },
    });
    await scenario.finish();
    expect(json(scenario, `${taskKey("normal", "t0")}/attempt-1/result.json`)).toMatchObject({ issues: [] });
    expect(attempt(scenario, "fatal").issues).toEqual([
      {
        severity: "fatal",
        phase: "setup",
        code: "setup_failed",
        message: "opening the place environment did not finish within 5 s (environment.setup.build_timeout_seconds)",
      },
    ]);
  });

  it("the run, with multiplier and compensation; what is there is still scored", async () => {
    const times = { run_timeout_seconds: 30, timeout_multiplier: 1.5, run_timer_compensation_seconds: 3 };
    const scenario = await run(one({ run: never }), times);
    expect(scenario.clock.monotonic()).toBe(48_000 + 10_000);
    expect(attempt(scenario, "error")).toMatchObject({
      metrics: { correct: true },
      issues: [
        {
          severity: "error",
          phase: "run",
          code: "run_failed",
          message:
            "the run did not finish within 48 s (execution.run_timeout_seconds 30 x timeout_multiplier 1.5 + run_timer_compensation_seconds 3)",
        },
      ],
    });
  });

  it("the run of a harness that brings a default of its own", async () => {
    const scenario = await run({ ...one({ run: never }), harnessTimeoutSeconds: 20 }, { run_timeout_multiplier: 2 });
    expect(JSON.stringify(attempt(scenario, "error").issues)).toContain(
      "the run did not finish within 160 s (default of harness agent 20 x run_timeout_multiplier 2 + run_timer_compensation_seconds 120; execution.run_timeout_seconds changes it)",
    );
    const own = await run({ ...one({ run: never }), harnessTimeoutSeconds: 20 }, { run_timeout_seconds: 7 });
    expect(JSON.stringify(attempt(own, "error").issues)).toContain("within 127 s (execution.run_timeout_seconds 7 +");
  });

  it("the collection of the result", async () => {
    const scenario = await run(one({ collect: never }), { runresult_collect_timeout_seconds: 4 });
    expect(attempt(scenario, "fatal").issues).toMatchObject([
      {
        severity: "fatal",
        phase: "collect",
        code: "collect_failed",
        message: "collecting the run's result did not finish within 4 s (execution.runresult_collect_timeout_seconds)",
      },
    ]);
  });

  it("the evaluation, with its multiplier, and the metrics of a timeout", async () => {
    const times = { evaluation_timeout_seconds: 10, timeout_multiplier: 3, evaluation_timeout_multiplier: 2 };
    const scenario = await run(one({ evaluate: never }), times);
    expect(attempt(scenario, "error")).toMatchObject({ metrics: { correct: false }, status: "eval_error" });
    expect(JSON.stringify(attempt(scenario, "error").issues)).toContain(
      "the evaluation did not finish within 20 s (execution.evaluation_timeout_seconds 10 x evaluation_timeout_multiplier 2)",
    );
  });

  it("the closing of the environment, as a warning", async () => {
    const scenario = await run({ close: never });
    expect(attempt(scenario, "normal").issues).toMatchObject([
      {
        severity: "warning",
        phase: "cleanup",
        message: "closing the environment did not finish within 10 s (fixed; no option changes it)",
      },
    ]);
  });
});

describe("what a harness collects after its run", () => {
  it("takes the place of the run's answer, adds artifacts, and keeps the run's issues", async () => {
    const timesOut: Behaviour = {
      run: never,
      collect: async ({ run: left }) => ({ final_answer: "found", artifacts: { before: left.final_answer } }),
    };
    const scenario = await run(one(timesOut), { run_timeout_seconds: 1, run_timer_compensation_seconds: 1 });
    expect(attempt(scenario, "error")).toMatchObject({
      final_answer: "found",
      artifacts: { before: null },
      issues: [{ code: "run_failed" }],
    });
  });

  it("is not asked for after a fatal run", async () => {
    let asked = 0;
    const broken: Behaviour = {
      run: () => Promise.reject(new ModelFailure("status", "HTTP 500", { status: 500 })),
      collect: async () => {
        asked += 1;
        return {};
      },
    };
    const scenario = await run(one(broken));
    expect(attempt(scenario, "fatal").issues).toMatchObject([{ code: "model_failed" }]);
    expect(asked).toBe(0);
  });
});

describe("the deadline of a run", () => {
  type Seen = { prompt?: string; deadlineAt?: number | undefined; variable?: string | undefined; own?: string };

  async function seen(execution: object, environment: object = {}): Promise<Seen> {
    const found: Seen = {};
    const look: Behaviour = {
      run: async ({
        prepared,
        deadlineAt,
        session,
      }: { prepared: PreparedTask } & Parameters<NonNullable<Behaviour["run"]>>[0]) => {
        found.prompt = prepared.input.prompt;
        found.deadlineAt = deadlineAt;
        await session.exec({ command: "true" });
      },
    };
    await run(
      {
        ...one(look),
        exec: async ({ env }) => {
          found.variable = env?.["AGENTCOMPASS_DEADLINE"];
          return { returncode: 0, stdout: "", stderr: "", timed_out: false, dropped_bytes: 0, duration_ms: 0 };
        },
      },
      execution,
      { environment },
    );
    return found;
  }

  it("is known to the harness and to its commands; the prompt stays as it was", async () => {
    const startedAt = new FakeClock().now();
    expect(await seen({ run_timeout_seconds: 30, timeout_multiplier: 2 })).toEqual({
      prompt: "?",
      deadlineAt: startedAt + 60_000,
      variable: String(startedAt / 1000 + 60),
    });
    expect(await seen({})).toEqual({ prompt: "?", deadlineAt: undefined, variable: undefined });
  });

  it("is told in the prompt when execution.tell_deadline says so and there is one", async () => {
    const told = await seen({ run_timeout_seconds: 30, timeout_multiplier: 2, tell_deadline: true });
    expect(told.prompt).toContain("Time limit: 60 seconds from now.");
    expect((await seen({ tell_deadline: true })).prompt).toBe("?");
  });

  it("gives way to a variable that the spec sets itself", async () => {
    const environment = { run_env_variables: { AGENTCOMPASS_DEADLINE: "mine" } };
    expect((await seen({ run_timeout_seconds: 30 }, environment)).variable).toBe("mine");
  });
});

describe("an environment that opens although its opening was given up", () => {
  const setup = { environment: { id: "place", setup: { build_timeout_seconds: 5 } } };

  it.each([
    ["within its grace", 6],
    ["long after", 3600],
  ])("%s is closed", async (_when, seconds) => {
    const clock = new FakeClock();
    const opened: number[] = [];
    const scenario = createScenario({
      clock,
      open: async (count) => {
        await clock.sleep(seconds * 1000);
        opened.push(count);
      },
      orchestration: { requests: [{ name: "one", ...setup }] },
    });
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.error).toContain("opening the place environment");
    await clock.runUntil(clock.sleep(7_200_000), { limitMs: 10_800_000 });
    expect(opened).toEqual([1]);
    expect(scenario.open.size).toBe(0);
  });

  it("is closed after a cancellation too", async () => {
    const clock = new FakeClock();
    const scenario = createScenario({ clock, open: () => clock.sleep(3000) });
    const cancel = new AbortController();
    const ended = scenario.finish(cancel.signal);
    void clock.sleep(1000).then(() => cancel.abort());
    expect((await ended).result.status).toBe("cancelled");
    expect(scenario.open.size).toBe(0);
  });
});
