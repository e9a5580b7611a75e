import { StageFailure } from "@agentcompass/core/plugin";
import { FakeClock } from "@agentcompass/core/testing";
import { describe, expect, it } from "vitest";
import { type Behaviour, createScenario, json, type Scenario, type ScenarioOptions } from "./scenario.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ task_id: `t${index}` }));
const all = (count: number, behaviour: Behaviour) =>
  Object.fromEntries(many(count).map(({ task_id }) => [task_id, behaviour]));

const fails = (code: string): Behaviour => ({
  run: () => Promise.reject(new StageFailure("fatal", code, `${code}: the disk is gone`)),
});

function scenario(count: number, execution: object, options: Partial<ScenarioOptions> = {}): Scenario {
  return createScenario({
    tasks: many(count),
    behaviour: all(count, fails("broken")),
    orchestration: { task_concurrency: 1, requests: [{ name: "one", execution }] },
    ...options,
  });
}

describe("the circuit breaker", () => {
  it("ends a request whose first ten tasks ended in the same FATAL code, and says so", async () => {
    const run = scenario(40, {});
    const { result } = await run.finish();
    expect(run.executions).toHaveLength(10);
    const one = result.requests["one"];
    expect([result.status, one?.status]).toEqual(["partial_failure", "failed"]);
    expect(one?.error).toContain("the first 10 tasks all ended in broken (broken: the disk is gone)");
    expect(one?.error).toContain("30 of 40 tasks were not run (execution.fatal_task_limit 10; 0 runs them all)");
    expect(json(run, "run_info.json")).toMatchObject({ status: "failed", error: one?.error });
    expect(json(run, "metrics.json")).toMatchObject({ evaluation_failed: true, series: [{ value: null }] });
    const summary = run.store.text("one/r/summary.md");
    expect(summary).toContain("the first 10 tasks all ended in broken");
    expect(summary).toContain("Partial: 10 of 40 tasks; 30 were not run.");
  });

  it("runs everything when it is off, and takes another number", async () => {
    const off = scenario(40, { fatal_task_limit: 0 });
    expect((await off.finish()).result.requests["one"]?.error).toContain("Final FATAL issues");
    expect(off.executions).toHaveLength(40);
    const three = scenario(40, { fatal_task_limit: 3 });
    await three.finish();
    expect(three.executions).toHaveLength(3);
  });

  it.each([
    ["a task that succeeded", {}],
    ["a task with another code", fails("other")],
    ["a task with an ERROR", { run: () => Promise.reject(new StageFailure("error", "broken", "x")) }],
  ] as [string, Behaviour][])("lets all run after %s", async (_name, third) => {
    const run = scenario(40, {}, { behaviour: { ...all(40, fails("broken")), t2: third } });
    await run.finish();
    expect(run.executions).toHaveLength(40);
  });

  it("counts a task once, after its last execution", async () => {
    const run = scenario(9, { max_retries: 2, fatal_task_limit: 4 });
    await run.finish();
    expect(run.executions).toHaveLength(12);
    const saved: Behaviour = {
      run: (_ask, execution) =>
        execution < 3 ? Promise.reject(new StageFailure("fatal", "x", "x")) : Promise.resolve(),
    };
    const healing = scenario(9, { max_retries: 2, fatal_task_limit: 4 }, { behaviour: all(9, saved) });
    expect((await healing.finish()).result.status).toBe("completed");
  });

  it("ends the tasks under way and those that wait for a retry, which then count as not run", async () => {
    const hangs: Behaviour = {
      run: ({ signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const waits: Behaviour = {
      run: (_ask, execution) => Promise.reject(new StageFailure("error", "again", `${execution}`)),
    };
    const behaviour = { ...all(3, fails("broken")), t3: hangs, t4: waits };
    const retry = {
      max_retries: 1,
      retry_pattern_list: ["again"],
      retry_min_delay_seconds: 500,
      retry_max_delay_seconds: 500,
    };
    const run = createScenario({
      tasks: many(5),
      behaviour,
      orchestration: { task_concurrency: 5, requests: [{ name: "one", execution: { ...retry, fatal_task_limit: 3 } }] },
    });
    const { result } = await run.finish();
    expect(result.requests["one"]?.error).toContain("2 of 5 tasks were not run");
    expect(run.open.size).toBe(0);
    expect(await run.permits.counts()).toEqual({});
  });

  it("does not count reused tasks, and ends its own request alone", async () => {
    const first = scenario(5, { fatal_task_limit: 0 });
    await first.finish();
    const clock = new FakeClock({ now: first.clock.now() + 60_000 });
    const execution = { fatal_task_limit: 3 };
    const second = scenario(12, execution, {
      clock,
      store: first.store,
      orchestration: {
        task_concurrency: 1,
        requests: [
          { name: "one", execution, runtime: { reuse: true }, output: { run_id: "r2" } },
          { name: "two", execution: { fatal_task_limit: 0 }, output: { run_id: "r2" } },
        ],
      },
    });
    const { result } = await second.finish();
    expect(result.requests["one"]?.error).toContain("the first 3 tasks all ended in broken");
    expect(result.requests["one"]?.error).toContain("4 of 12 tasks were not run");
    expect(second.executions).toHaveLength(3 + 12);
  });

  it("leaves a run whose rest a later one takes up", async () => {
    const first = scenario(6, { fatal_task_limit: 2 });
    await first.finish();
    const clock = new FakeClock({ now: first.clock.now() + 60_000 });
    const execution = { max_retries: 1 };
    const second = scenario(6, execution, {
      clock,
      store: first.store,
      behaviour: {},
      orchestration: { requests: [{ name: "one", execution, runtime: { reuse: true }, output: { run_id: "r2" } }] },
    });
    expect((await second.finish()).result.status).toBe("completed");
    expect([...second.executions].sort()).toEqual(many(6).map(({ task_id }) => task_id));
  });
});
