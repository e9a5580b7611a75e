import { type Model, ModelFailure, StageFailure } from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { type Behaviour, createScenario, type Scenario } from "./scenario.ts";

const QUICK = { max_retries: 2, retry_min_delay_seconds: 4, retry_max_delay_seconds: 4 };

const refusing = (...failures: ModelFailure[]): Model => {
  let calls = 0;
  return {
    complete: async () => {
      const failure = failures[Math.min(calls++, failures.length - 1)];
      throw failure ?? new Error("no failure scripted");
    },
  };
};

const status = (code: number, retryAfterMs?: number) =>
  new ModelFailure("status", `HTTP ${code}: no`, { status: code, ...(retryAfterMs !== undefined && { retryAfterMs }) });

const calls: Behaviour = { run: ({ model }) => model?.complete({ messages: [] }) ?? Promise.resolve() };

async function run(model: Model, execution: object, behaviour: Behaviour = calls): Promise<Scenario> {
  const scenario = createScenario({
    model,
    behaviour: { t1: behaviour },
    orchestration: { requests: [{ name: "one", execution: { ...QUICK, ...execution } }] },
  });
  await scenario.finish();
  return scenario;
}

const strict = { retry_policy: "strict" };
const delays = (scenario: Scenario) =>
  scenario.events
    .filter((event) => event.event === "attempt_retry")
    .map((event) => Number(event.payload["retry_delay_seconds"]));

describe("retry_policy", () => {
  it.each([401, 402, 403])("strict never retries %i; compatible does as AgentCompass", async (code) => {
    const one = await run(refusing(status(code)), strict);
    expect(one.executions).toHaveLength(1);
    expect(one.logs.some(({ message }) => message.includes(`HTTP ${code}`) && message.includes("strict"))).toBe(true);
    expect((await run(refusing(status(code)), {})).executions).toHaveLength(3);
  });

  it("strict retries what may pass", async () => {
    for (const code of [429, 500, 503]) expect((await run(refusing(status(code)), strict)).executions).toHaveLength(3);
  });

  it("says which retry comes when, and why", async () => {
    const { logs } = await run(refusing(status(503)), {});
    const lines = logs.filter(({ source }) => source === "retry").map(({ message }) => message);
    expect(lines).toEqual([
      expect.stringMatching(/^task=t1 attempt=1 retry 1 of 2 in \d\.\d s: model_failed: HTTP 503: no$/),
      expect.stringMatching(/^task=t1 attempt=1 retry 2 of 2 in \d\.\d s: model_failed: HTTP 503: no$/),
    ]);
  });

  it("strict grades an overflow after one try even when a pattern finds it", async () => {
    const overflow = new ModelFailure("status", "HTTP 400: too long", { status: 400, code: "model_context_overflow" });
    const patterns = { retry_pattern_list: ["HTTP 400"] };
    expect((await run(refusing(overflow), { ...strict, ...patterns })).executions).toHaveLength(1);
    expect((await run(refusing(overflow), patterns)).executions).toHaveLength(3);
  });

  it("strict waits as long as Retry-After asks, compatible its own backoff", async () => {
    const model = () => refusing(status(429, 90_000));
    expect(delays(await run(model(), strict))).toEqual([90, 90]);
    for (const delay of delays(await run(model(), {}))) expect(delay).toBeLessThanOrEqual(4);
    expect(delays(await run(refusing(status(429, 5_000_000)), strict))).toEqual([600, 600]);
  });

  it("strict sees a refusal that the harness swallowed or wrapped", async () => {
    const wraps: Behaviour = {
      run: async (ask) => {
        try {
          await ask.model?.complete({ messages: [] });
        } catch (cause) {
          throw new StageFailure("fatal", "harness_failed", "agent gave up", { cause });
        }
      },
    };
    const swallows: Behaviour = {
      run: async (ask) => {
        await ask.model?.complete({ messages: [] }).catch(() => {});
        throw new StageFailure("fatal", "harness_failed", "agent gave up");
      },
    };
    for (const behaviour of [wraps, swallows])
      expect((await run(refusing(status(401)), strict, behaviour)).executions).toHaveLength(1);
  });

  it("strict still repeats an evaluation that failed by itself after a run that is held back", async () => {
    let evaluations = 0;
    const evaluate = async () => {
      evaluations += 1;
      if (evaluations === 1) throw new StageFailure("fatal", "judge_failed", "no verdict");
      return { metrics: { correct: false } };
    };
    const overflow = new ModelFailure("status", "HTTP 400: too long", { status: 400, code: "model_context_overflow" });
    const one = await run(refusing(overflow), { ...strict, retry_pattern_list: ["HTTP 400"] }, { ...calls, evaluate });
    expect([one.executions.length, evaluations]).toEqual([1, 2]);
  });

  it("strict retries a failure of the evaluation unless its own model refused", async () => {
    const evaluations = async (cause: Error | undefined): Promise<number> => {
      let count = 0;
      const evaluate = async () => {
        count += 1;
        throw new StageFailure("fatal", "judge_failed", "no verdict", cause ? { cause } : {});
      };
      await run(refusing(status(500)), strict, { evaluate });
      return count;
    };
    expect(await evaluations(status(401))).toBe(1);
    expect(await evaluations(status(503))).toBe(3);
    expect(await evaluations(undefined)).toBe(3);
  });
});
