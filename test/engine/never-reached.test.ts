import { type Model, ModelFailure, StageFailure } from "@agentcompass/core/plugin";
import { FakeClock } from "@agentcompass/core/testing";
import { describe, expect, it } from "vitest";
import { type Behaviour, createScenario, json, type Scenario, type ScenarioOptions } from "./scenario.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ task_id: `t${index}` }));

const calls: Behaviour = { run: ({ model }) => model?.complete({ messages: [] }) ?? Promise.resolve() };

const all = (count: number, behaviour: Behaviour) =>
  Object.fromEntries(many(count).map(({ task_id }) => [task_id, behaviour]));

const answer = {
  content: "42",
  reasoning_content: null,
  tool_calls: null,
  stop_reason: "stop",
  usage: { prompt_tokens: 3, completion_tokens: 1, cache_tokens: 0, reasoning_tokens: null, cost_usd: 0 },
  returned_model: "m-1",
  latency_ms: 5,
};

/** A model whose first answer takes `ms`. */
const slow = (clock: FakeClock, ms: number): Model => ({
  complete: async ({ signal }) => {
    await clock.sleep(ms, signal);
    return answer;
  },
});

const refusing: Model = {
  complete: () => Promise.reject(new ModelFailure("connection", "connect ECONNREFUSED 127.0.0.1:9")),
};

/** A second run over what the first left. */
function again(first: Scenario, options: ScenarioOptions, concurrency = 32): Scenario {
  return createScenario({
    ...options,
    store: first.store,
    orchestration: {
      task_concurrency: concurrency,
      requests: [{ name: "one", runtime: { reuse: true }, output: { run_id: "r2" } }],
    },
  });
}

describe("a model that was not reached yet", () => {
  it("is waited for when only reused tasks and a recovered evaluation have ended", async () => {
    const first = createScenario({
      tasks: many(6),
      behaviour: { t5: { evaluate: () => new Promise(() => {}) } },
      orchestration: { runtime: { timeout_seconds: 60, cleanup_grace_seconds: 0 } },
    });
    expect((await first.finish()).result.status).toBe("timed_out");
    const clock = new FakeClock({ now: first.clock.now() + 60_000 });
    const model = slow(clock, 5000);
    const evaluate = async () => {
      await clock.sleep(1000);
      return { metrics: { correct: true } };
    };
    const behaviour = { ...all(9, calls), t5: { evaluate } };
    const second = again(first, { tasks: many(9), behaviour, clock, model });
    const { result } = await second.finish();
    expect(result.requests["one"]).toMatchObject({ status: "completed", error: "" });
    expect([...second.executions].sort()).toEqual(["t6", "t7", "t8"]);
    expect(second.store.text("one/r2/summary.md")).not.toContain("Partial");
  });

  it("is waited for when tasks that call none have ended, well or fatally", async () => {
    const clock = new FakeClock();
    const broken: Behaviour = { run: () => Promise.reject(new StageFailure("fatal", "x", "boom")) };
    const behaviour = { ...all(8, calls), t0: {}, t1: {}, t2: {}, t3: broken, t4: broken };
    const scenario = createScenario({ tasks: many(8), behaviour, clock, model: slow(clock, 5000) });
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.error).not.toContain("never reached");
    expect(scenario.executions).toHaveLength(8);
    expect(scenario.store.text("one/r/summary.md")).not.toContain("Partial");
  });

  it("is given up once three tasks of this run called it in vain, however many were reused", async () => {
    const first = createScenario({ tasks: many(5) });
    await first.finish();
    const clock = new FakeClock({ now: first.clock.now() + 60_000 });
    const second = again(first, { tasks: many(12), behaviour: all(12, calls), clock, model: refusing }, 1);
    const { result } = await second.finish();
    expect(result.requests["one"]?.status).toBe("failed");
    expect(result.requests["one"]?.error).toContain("never reached");
    expect(second.executions).toEqual(["t5", "t6", "t7"]);
  });

  it("is not given up while fewer than three tasks called it in vain", async () => {
    const clock = new FakeClock();
    let made = 0;
    const model: Model = {
      complete: (ask) => {
        made += 1;
        return made <= 2 ? refusing.complete(ask) : slow(clock, 5000).complete(ask);
      },
    };
    const scenario = createScenario({ tasks: many(9), behaviour: all(9, calls), clock, model });
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.status).toBe("completed");
    expect(scenario.executions).toHaveLength(9);
  });
});

describe("a model that accepts calls and answers none", () => {
  const hangs: Model = { complete: ({ signal }) => new FakeClock().sleep(1e9, signal) as Promise<never> };
  const times = (name: string): Model => ({
    complete: () => Promise.reject(new ModelFailure("timeout", `no answer within 7 s (${name})`)),
  });

  it.each([
    [
      "the run",
      hangs,
      { run_timeout_seconds: 30 },
      "the run did not finish within 150 s (execution.run_timeout_seconds 30",
    ],
    ["one call", times("model.params.timeout"), {}, "no answer within 7 s (model.params.timeout)"],
  ])(
    "is said with the seconds and the option of %s that ran out, not to be unreached",
    async (_what, model, execution, why) => {
      const scenario = createScenario({
        behaviour: { t1: calls },
        model,
        orchestration: { requests: [{ name: "one", execution }] },
      });
      const { result } = await scenario.finish();
      expect(result.requests["one"]).toMatchObject({ status: "failed" });
      expect(result.requests["one"]?.error).toContain(`never gave an answer: ${why}`);
      expect(scenario.store.text("one/r/summary.md")).toContain(
        `No official score: the model never gave an answer (${why}`,
      );
      const { statistics } = json(scenario, "metrics.json");
      expect(statistics).toMatchObject({ calls: 1, cost_usd: null });
      expect(result.usage).toMatchObject({ calls: 1, cost_usd: null });
    },
  );

  it("costs nothing where no call was made", async () => {
    const { result } = await createScenario().finish();
    expect(result.usage).toMatchObject({ calls: 0, cost_usd: 0 });
  });
});
