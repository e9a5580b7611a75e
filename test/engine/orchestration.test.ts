import { type Model, ModelFailure } from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { createScenario, json } from "./scenario.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ task_id: `t${index}` }));

describe("an orchestration", () => {
  it("never runs more tasks at once than its concurrency, over all requests", async () => {
    let now = 0;
    let most = 0;
    const run = async ({ clock }: { clock: { sleep(ms: number): Promise<void> } }) => {
      now += 1;
      most = Math.max(most, now);
      await clock.sleep(100);
      now -= 1;
    };
    const scenario = createScenario({
      tasks: many(7),
      behaviour: Object.fromEntries(many(7).map(({ task_id }) => [task_id, { run }])),
      orchestration: { task_concurrency: 3, requests: [{ name: "one" }, { name: "two" }, { name: "three" }] },
    });
    const { result } = await scenario.finish();
    expect(result.status).toBe("completed");
    expect(most).toBe(3);
    expect(scenario.executions).toHaveLength(21);
  });

  it("paces environment opens and records waiting apart from working", async () => {
    const opens: number[] = [];
    const scenario = createScenario({
      tasks: many(4),
      open: async () => {
        opens.push(scenario.clock.now());
        await scenario.clock.sleep(50);
      },
      orchestration: { runtime: { env_open_qps: { place: 2 } } },
    });
    await scenario.finish();
    expect(opens.map((at) => at - (opens[0] ?? 0))).toEqual([0, 500, 1000, 1500]);
    const { time } = json(scenario, "metrics.json")["statistics"] as { time: Record<string, number> };
    expect(time).toEqual({ waiting_seconds: 3, working_seconds: 0.2 });
  });

  it("isolates a failing request and says where its results are", async () => {
    const scenario = createScenario({
      tasks: many(2),
      orchestration: { requests: [{ name: "one" }, { name: "two", environment: { resources: { cpu: 2 } } }] },
    });
    const { result } = await scenario.finish();
    expect(result.status).toBe("partial_failure");
    expect(result.requests["one"]?.status).toBe("completed");
    expect(result.requests["two"]).toMatchObject({ status: "failed", result: null });
    expect(result.requests["two"]?.error).toContain("environment.resources.cpu");
  });

  it("gives no official score when the model was never reached, and stops early", async () => {
    const scenario = createScenario({
      tasks: many(9),
      behaviour: Object.fromEntries(
        many(9).map(({ task_id }) => [task_id, { run: ({ model }) => model?.complete({ messages: [] }) }]),
      ),
      model: { complete: () => Promise.reject(new ModelFailure("connection", "connect ECONNREFUSED 127.0.0.1:9")) },
      orchestration: { task_concurrency: 1 },
    } as Parameters<typeof createScenario>[0]);
    const { result } = await scenario.finish();
    expect(result.requests["one"]).toMatchObject({ status: "failed" });
    expect(result.requests["one"]?.error).toContain("never reached: connect ECONNREFUSED");
    expect(scenario.executions).toHaveLength(3);
    expect(json(scenario, "metrics.json")).toMatchObject({ evaluation_failed: true, series: [{ value: null }] });
    expect(scenario.store.text("one/r/summary.md")).toContain("never reached");
  });

  it("stops the tasks under way as well when the model was never reached", async () => {
    const fails = ({ model }: { model?: Model }) => model?.complete({ messages: [] }) ?? Promise.resolve();
    const hangs = ({ signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const scenario = createScenario({
      tasks: many(6),
      behaviour: Object.fromEntries(many(6).map(({ task_id }, index) => [task_id, { run: index < 3 ? fails : hangs }])),
      model: { complete: () => Promise.reject(new ModelFailure("connection", "connect ECONNREFUSED 127.0.0.1:9")) },
    } as Parameters<typeof createScenario>[0]);
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.status).toBe("failed");
    expect(scenario.store.text("one/r/summary.md")).toContain("3 of 6 tasks");
    expect(scenario.open.size).toBe(0);
    expect(await scenario.permits.counts()).toEqual({});
  });

  it("says when every call was refused, and which tasks were fatal and why", async () => {
    const calls = { run: ({ model }: { model?: Model }) => model?.complete({ messages: [] }) ?? Promise.resolve() };
    const answering = (status: number) => ({
      complete: () => Promise.reject(new ModelFailure("status", `HTTP ${status}: refused`, { status })),
    });
    const run = (status: number) =>
      createScenario({ behaviour: { t1: calls }, model: answering(status) } as Parameters<typeof createScenario>[0]);
    const refused = run(400);
    expect((await refused.finish()).result.status).toBe("completed");
    expect(refused.store.text("one/r/summary.md")).toContain("No model call gave an answer");
    const fatal = run(500);
    await fatal.finish();
    expect(fatal.store.text("one/r/summary.md")).toContain("Fatal: task t1: model_failed: HTTP 500: refused");
  });

  it("says why a task that is not fatal has no value", async () => {
    const evaluate = (): Promise<never> => Promise.reject(new Error("the scorer broke"));
    const scenario = createScenario({ behaviour: { t1: { evaluate } } });
    expect((await scenario.finish()).result.status).toBe("completed");
    expect(scenario.store.text("one/r/summary.md")).toContain("No value: task t1: evaluate_failed: the scorer broke");
  });

  it("refuses a run id that exists before anything is written", async () => {
    const first = createScenario();
    await first.finish();
    const before = await first.store.list("one");
    const second = createScenario({ store: first.store });
    await expect(second.finish()).rejects.toMatchObject({ code: "run.exists" });
    expect(await first.store.list("one")).toEqual(before);
  });

  it("refuses zero tasks without a run directory", async () => {
    const scenario = createScenario({ tasks: [] });
    const { result, ends } = await scenario.finish();
    expect(result.requests["one"]?.status).toBe("failed");
    expect(ends[0]?.cause).toMatchObject({ code: "benchmark.empty", exitCode: 2 });
    expect(await scenario.store.list("one")).toEqual([]);
  });

  it("ends at its deadline with the finished task kept and no report", async () => {
    const scenario = createScenario({
      tasks: many(5),
      behaviour: Object.fromEntries(
        many(5).map(({ task_id }) => [task_id, { run: ({ clock, signal }) => clock.sleep(4000, signal) }]),
      ),
      orchestration: { task_concurrency: 1, runtime: { timeout_seconds: 6 } },
    } as Parameters<typeof createScenario>[0]);
    const { result } = await scenario.finish();
    expect(result.status).toBe("timed_out");
    expect(json(scenario, "run_info.json")).toMatchObject({ status: "timed_out" });
    expect(await scenario.store.children("one/r/details/normal")).toHaveLength(1);
    expect(await scenario.store.children("one/r/details/running")).toHaveLength(1);
    expect(scenario.store.text("one/r/metrics.json")).toBeUndefined();
    expect(scenario.open.size).toBe(0);
    expect(await scenario.permits.counts()).toEqual({});
  });

  it("ends a cancelled run although its harness ignores the signal", async () => {
    const scenario = createScenario({
      behaviour: { t1: { run: () => new Promise(() => {}) } },
      orchestration: { runtime: { cleanup_grace_seconds: 30 } },
    });
    const controller = new AbortController();
    const done = scenario.start(controller.signal);
    await scenario.clock.advance(100);
    controller.abort();
    const { result } = await scenario.clock.runUntil(done);
    expect(result.status).toBe("cancelled");
    expect(json(scenario, "run_info.json")).toMatchObject({ status: "cancelled", error: "orchestration cancelled" });
  });
});
