import { StageFailure } from "@agentcompass/core/plugin";
import { taskKey } from "@agentcompass/core/record";
import { FakeClock } from "@agentcompass/core/testing";
import { describe, expect, it } from "vitest";
import { createScenario, type Scenario, type ScenarioOptions } from "./scenario.ts";

/** A second run over the results of the first, a minute later. */
function again(first: Scenario, options: ScenarioOptions, runtime: object, execution: object = {}): Scenario {
  const clock = new FakeClock({ now: first.clock.now() + 60_000 });
  return createScenario({
    ...options,
    clock,
    store: first.store,
    orchestration: { requests: [{ name: "one", runtime, execution, output: { run_id: "r2" } }] },
  });
}

const read = (scenario: Scenario, key: string): Record<string, unknown> =>
  JSON.parse(scenario.store.text(`one/r2/${key}`) ?? "null") as Record<string, unknown>;

const fatal = { t1: { run: () => Promise.reject(new StageFailure("fatal", "x", "boom")) } };

describe("reuse", () => {
  it("takes finished tasks over without running them and leaves the source as it was", async () => {
    const first = createScenario({ tasks: [{ task_id: "t1" }, { task_id: "t2" }] });
    await first.finish();
    const before = Object.fromEntries(
      (await first.store.list("one/r"))
        .filter((key) => key.startsWith("one/r/"))
        .map((key) => [key, first.store.text(key)]),
    );
    const second = again(first, { tasks: [{ task_id: "t1" }, { task_id: "t2" }, { task_id: "t3" }] }, { reuse: true });
    const { result } = await second.finish();
    expect(result.status).toBe("completed");
    expect(second.executions).toEqual(["t3"]);
    expect(read(second, "run_info.json")).toMatchObject({ reused_from: { run_id: "r" } });
    expect(read(second, `${taskKey("normal", "t1")}/attempt-1/result.json`)).toMatchObject({
      retry_count: 0,
      artifacts: { reuse_history: { retry_count: 0 } },
    });
    for (const [key, text] of Object.entries(before)) expect(first.store.text(key)).toBe(text);
  });

  it.each(["avg", "pass"])("runs the attempt again whose result was lost (%s)", async (strategy) => {
    const wrong = { t1: { evaluate: async () => ({ metrics: { correct: false } }) } };
    const execution = { attempts: { k: 3, strategy } };
    const first = createScenario({ behaviour: wrong, orchestration: { requests: [{ name: "one", execution }] } });
    await first.finish();
    await first.store.put(`one/r/${taskKey("normal", "t1")}/attempt-2/result.json`, '{"status": "comp');
    const second = again(first, { behaviour: wrong }, { reuse: true }, execution);
    const { result } = await second.finish();
    expect(result.status).toBe("completed");
    expect(second.executions.filter((id) => id === "t1")).toHaveLength(1);
    const keys = await second.store.list(`one/r2/${taskKey("normal", "t1")}`);
    expect(keys.filter((key) => key.endsWith("/result.json"))).toHaveLength(3);
  });

  it("gives a run that could not take over its source's results a terminal status", async () => {
    const first = createScenario({});
    await first.finish();
    const second = again(first, {}, { reuse: true });
    const { get } = first.store;
    first.store.get = (key) =>
      key.endsWith("/task.json") ? Promise.reject(new Error("disk failure")) : get.call(first.store, key);
    const { result } = await second.finish();
    first.store.get = get;
    expect(result.requests["one"]).toMatchObject({ status: "failed", error: expect.stringContaining("disk failure") });
    expect(read(second, "run_info.json")).toMatchObject({
      status: "failed",
      error: expect.stringContaining("disk failure"),
      finished_at: expect.any(String),
    });
    expect(second.executions).toEqual([]);
  });

  it("keeps fatal results without retries and says so", async () => {
    const first = createScenario({ behaviour: fatal });
    await first.finish();
    const second = again(first, {}, { reuse: true });
    const { result } = await second.finish();
    expect(result.status).toBe("partial_failure");
    expect(second.executions).toEqual([]);
    expect(second.logs.some((record) => record.message.includes("--max-retries 1"))).toBe(true);
  });

  it("runs fatal results again when there are retries, one retry used up", async () => {
    const first = createScenario({ behaviour: fatal });
    await first.finish();
    const second = again(first, {}, { reuse: true }, { max_retries: 1 });
    const { result } = await second.finish();
    expect(result.status).toBe("completed");
    expect(read(second, `${taskKey("normal", "t1")}/attempt-1/result.json`)).toMatchObject({ retry_count: 1 });
    const retry = second.events.find((event) => event.event === "attempt_retry");
    expect(retry?.payload).toMatchObject({ stage: "recovery", retry: 1 });
  });

  it("takes an attempt over whose task was never published", async () => {
    const first = createScenario({ tasks: [{ task_id: "t1" }, { task_id: "t2" }] });
    await first.finish();
    const published = `one/r/${taskKey("normal", "t1")}`;
    await first.store.move(published, `one/r/${taskKey("running", "t1")}`);
    await first.store.put(
      `one/r/${taskKey("running", "t1")}/task.json`,
      JSON.stringify({ schema_version: "agentcompass.task.v3", task_id: "t1", attempts: { "1": "attempt-1" } }),
    );
    const second = again(first, { tasks: [{ task_id: "t1" }, { task_id: "t2" }] }, { reuse: true });
    await second.finish();
    expect(second.executions).toEqual([]);
  });

  it("runs a task again whose result is torn", async () => {
    const first = createScenario();
    await first.finish();
    await first.store.put(`one/r/${taskKey("normal", "t1")}/attempt-1/result.json`, '{"status": "comp');
    const second = again(first, {}, { reuse: true });
    await second.finish();
    expect(second.executions).toEqual(["t1"]);
  });

  it("refuses a named run that does not exist, and one with other attempts", async () => {
    const first = createScenario();
    await first.finish();
    const missing = again(first, {}, { reuse_run_id: "nope" });
    expect((await missing.finish()).ends[0]?.cause?.message).toContain("no run 'nope'");
    const other = again(first, {}, { reuse: true }, { attempts: { k: 2 } });
    expect((await other.finish()).ends[0]?.cause?.message).toContain("cannot be reused");
  });
});
