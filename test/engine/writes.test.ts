import { taskKey } from "@agentcompass/core/record";
import { MemoryBlobStore } from "@agentcompass/core/testing";
import { describe, expect, it } from "vitest";
import { createScenario } from "./scenario.ts";

/** Notes what is written, in order. */
class CountingStore extends MemoryBlobStore {
  readonly writes: string[] = [];

  override async put(key: string, value: string | Uint8Array, options: { readonly durable?: boolean } = {}) {
    await super.put(key, value);
    this.writes.push(`${options.durable ? "durable" : "put"} ${key.slice(key.indexOf("/r/") + 3)}`);
  }

  override async append(key: string, value: string) {
    await super.append(key, value);
    this.writes.push(`append ${key.slice(key.indexOf("/r/") + 3)}`);
  }

  override async move(from: string, to: string) {
    await super.move(from, to);
    this.writes.push(`move ${to.slice(to.indexOf("/r/") + 3)}`);
  }

  count(end: string): number {
    return this.writes.filter((write) => write.endsWith(end)).length;
  }
}

/** Tasks of a second each, eight at a time. */
async function run(count: number): Promise<CountingStore> {
  const store = new CountingStore();
  const ids = Array.from({ length: count }, (_, index) => `t${index}`);
  const scenario = createScenario({
    store,
    tasks: ids.map((task_id) => ({ task_id })),
    behaviour: Object.fromEntries(ids.map((id) => [id, { run: (ask) => ask.clock.sleep(1000) }])),
    orchestration: { task_concurrency: 8 },
  });
  const { result } = await scenario.finish();
  expect(result.status).toBe("completed");
  return store;
}

describe("what a run writes", () => {
  it("for a task: five files and one move; its result is on the disk before it is published", async () => {
    const { writes } = await run(40);
    for (let task = 0; task < 40; task += 1) {
      const running = taskKey("running", `t${task}`);
      const normal = taskKey("normal", `t${task}`);
      expect(writes.filter((write) => write.includes(running) || write.includes(normal))).toEqual([
        `put ${running}/task.json`,
        `put ${running}/attempt-1/checkpoint.json`,
        `put ${running}/attempt-1/measurement.json`,
        `durable ${running}/attempt-1/result.json`,
        `durable ${running}/task.json`,
        `move ${normal}`,
      ]);
    }
  });

  it("for all tasks together: run_info.json, which has a plan for each, only at each doubling of them", async () => {
    const few = await run(16);
    const many = await run(256);
    expect(few.count("run_info.json")).toBeLessThanOrEqual(2 + Math.log2(16) + 1);
    expect(many.count("run_info.json")).toBeLessThanOrEqual(2 + Math.log2(256) + 1);
  });

  it("for views: progress.json and progress.jsonl at most four times a second, however many tasks there are", async () => {
    const store = await run(256);
    const seconds = 256 / 8;
    expect(store.count("progress.json")).toBeLessThanOrEqual(4 * seconds + 2);
    expect(store.count("progress.jsonl")).toBeLessThanOrEqual(4 * seconds + 2);
  });
});

/** The first write of a running task takes longer than those after it. */
class SlowFirstStore extends MemoryBlobStore {
  #slow = true;
  readonly lists: string[] = [];

  override async put(key: string, value: string | Uint8Array): Promise<void> {
    if (key.includes("/running/") && key.endsWith("task.json")) {
      const waits = this.#slow ? 20 : 0;
      this.#slow = false;
      for (let turn = 0; turn < waits; turn += 1) await Promise.resolve();
      this.lists.push(Object.keys(JSON.parse(String(value)).attempts).join());
    }
    await super.put(key, value);
  }
}

it("a task that runs its attempts at once never lists fewer of them than before", async () => {
  const store = new SlowFirstStore();
  const execution = { attempts: { k: 3 } };
  const scenario = createScenario({ store, parallel: true, orchestration: { requests: [{ name: "one", execution }] } });
  expect((await scenario.finish()).result.status).toBe("completed");
  expect(store.lists.at(-1)).toBe("1,2,3");
  expect([...store.lists].sort((left, right) => left.length - right.length)).toEqual(store.lists);
});
