import { MemoryBlobStore } from "@agentcompass/core/testing";
import { describe, expect, it } from "vitest";
import { createScenario, json } from "./scenario.ts";

/** A store that refuses to take what `refuses` says. */
class FailingStore extends MemoryBlobStore {
  refuses: (key: string, text: string) => boolean = () => false;

  override async put(...args: Parameters<MemoryBlobStore["put"]>): Promise<void> {
    const [key, bytes] = args;
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    if (this.refuses(key, text)) throw new Error(`no space left for ${key}`);
    await super.put(...args);
  }
}

const never = { run: () => new Promise<never>(() => {}) };

describe("the status of a request", () => {
  it("is failed when something escapes a task, without a report", async () => {
    const store = new FailingStore();
    store.refuses = (key) => key.includes("/t1--") && key.endsWith("result.json");
    const scenario = createScenario({
      store,
      tasks: ["t0", "t1", "t2", "t3"].map((task_id) => ({ task_id })),
      orchestration: { task_concurrency: 1 },
    });
    const { result } = await scenario.finish();
    expect(result.status).toBe("partial_failure");
    expect(result.requests["one"]).toMatchObject({ status: "failed", result: null });
    expect(result.requests["one"]?.error).toContain("no space left");
    expect(scenario.executions).toEqual(["t0", "t1"]);
    expect(scenario.store.text("one/r/metrics.json")).toBeUndefined();
    expect(scenario.open.size).toBe(0);
  });

  it.each([
    ["tasks that are under way", 1],
    ["the other attempts of a task", 20],
  ])("is failed when the disk is full, which stops %s instead of paying for what cannot be kept", async (_what, k) => {
    const store = new FailingStore();
    store.refuses = (key) => key.endsWith("result.json");
    const soon = { run: async () => "42" };
    const later = {
      run: (ask: { clock: { sleep(ms: number, signal: AbortSignal): Promise<void> }; signal: AbortSignal }) =>
        ask.clock.sleep(3_600_000, ask.signal),
    };
    let first = true;
    const behaviour = {
      t0: {
        run: (ask: Parameters<typeof later.run>[0]) => {
          const now = first;
          first = false;
          return now ? soon.run() : later.run(ask);
        },
      },
      t1: later,
    };
    const execution = { attempts: { k } };
    const scenario = createScenario({
      store,
      behaviour,
      parallel: true,
      tasks: ["t0", "t1", "t2"].map((task_id) => ({ task_id })),
      orchestration: { task_concurrency: 40, requests: [{ name: "one", execution }] },
    });
    const startedAt = scenario.clock.now();
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.error).toContain("no space left");
    expect(scenario.clock.now() - startedAt).toBeLessThan(60_000);
    expect(scenario.open.size).toBe(0);
  });

  it("is reached with hundreds of attempts of a task at once without a warning of too many listeners", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on("warning", listen);
    const execution = { attempts: { k: 200 } };
    const scenario = createScenario({
      parallel: true,
      behaviour: { t1: { run: (ask) => ask.clock.sleep(1000, ask.signal) } },
      orchestration: { task_concurrency: 300, requests: [{ name: "one", execution }] },
    });
    const { result } = await scenario.finish();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    expect(result.status).toBe("completed");
    expect(warnings).toEqual([]);
  });

  it("is failed when completed cannot be written", async () => {
    const store = new FailingStore();
    store.refuses = (key, text) => key.endsWith("run_info.json") && text.includes('"completed"');
    const scenario = createScenario({ store });
    const { result } = await scenario.finish();
    expect(result.requests["one"]).toMatchObject({ status: "failed" });
    expect(result.requests["one"]?.error).toContain("no space left");
  });

  it("is written once, with one run_finished", async () => {
    const scenario = createScenario({ tasks: [{ task_id: "t1" }, { task_id: "t2" }] });
    await scenario.finish();
    const ends = scenario.events.filter(({ event }) => event === "run_finished");
    expect(ends.map(({ status }) => status)).toEqual(["completed"]);
    expect(json(scenario, "run_info.json")["status"]).toBe("completed");
  });

  it("is on disk at once when the grace is given up, though a harness ignores its signal", async () => {
    const scenario = createScenario({
      behaviour: { t1: never },
      orchestration: { runtime: { cleanup_grace_seconds: 3600, timeout_seconds: 0 } },
    });
    const cancel = new AbortController();
    const endNow = new AbortController();
    const done = scenario.start(cancel.signal, endNow.signal);
    await scenario.clock.advance(1000);
    cancel.abort();
    await scenario.clock.advance(1000);
    endNow.abort();
    const { result } = await done;
    expect(result.requests["one"]?.status).toBe("cancelled");
    expect(json(scenario, "run_info.json")["status"]).toBe("cancelled");
    expect(scenario.clock.monotonic()).toBe(2000);
    expect(scenario.logs.map(({ message }) => message)).toContain(
      "left behind: 1 task that did not end before the grace was given up",
    );
  });

  it("comes when the grace is over, and a warning says what was left behind", async () => {
    const scenario = createScenario({
      behaviour: { t1: never },
      orchestration: { runtime: { cleanup_grace_seconds: 3, timeout_seconds: 5 } },
    });
    await scenario.finish();
    expect(scenario.clock.monotonic()).toBe(8000);
    expect(scenario.logs.filter(({ level }) => level === "WARNING").map(({ message }) => message)).toContain(
      "left behind: 1 task that did not end before 3 s were over (runtime.cleanup_grace_seconds)",
    );
  });
});
