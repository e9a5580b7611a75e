/** Deadlines, and runs that take up another (reference 4.6, 11.4); as AgentCompass unless a test says otherwise. */
import { describe, expect, it } from "vitest";
import { failing, openLab } from "./lab.ts";

describe("a deadline that comes in the middle of a run", () => {
  it("ends it timed_out with exit 1: what is finished stays, what is active is left in running, no report; a reuse does the rest", async () => {
    let slow = true;
    const lab = await openLab((_request, index) => (slow && index > 0 ? { hang: "request" } : {}), 10);
    const first = await lab.run("first", ["--task-concurrency", "1", "--timeout-seconds", "3"]);
    const stopped = await lab.look("first");
    expect([first.code, stopped.info.status, stopped.ends]).toEqual([1, "timed_out", ["timed_out"]]);
    expect([stopped.tasks, stopped.metrics, stopped.summary]).toEqual([
      { normal: 1, running: 1 },
      undefined,
      undefined,
    ]);
    expect(first.stderr).toMatch(/^Error: the orchestration did not finish within 3 s \(runtime\.timeout_seconds\)$/m);
    expect(first.stderr).not.toMatch(/^\s+at /m);

    slow = false;
    const before = lab.model.requests.length;
    const second = await lab.run("second", ["--reuse", "first"]);
    const whole = await lab.look("second");
    expect([second.code, whole.tasks]).toEqual([0, { normal: 10 }]);
    const loaded = whole.events.find(({ event }) => event === "reuse_loaded");
    expect(loaded.payload).toMatchObject({ reused_tasks: 1, tasks_to_run: 9 });
    expect(lab.model.requests.length - before).toBe(9);
  });
});

describe("a run that takes up one whose only task was FATAL", () => {
  async function afterFatal() {
    const lab = await openLab([failing, failing, failing, {}]);
    expect((await lab.run("first")).code).toBe(1);
    expect(lab.model.requests).toHaveLength(3);
    return lab;
  }

  it("keeps the result without retries: nothing is called, exit 1 again; a warning says how to run it again", async () => {
    const lab = await afterFatal();
    const second = await lab.run("second", ["--reuse", "first", "--log-level", "WARNING"]);
    expect([second.code, lab.model.requests.length]).toEqual([1, 3]);
    const run = await lab.look("second");
    expect([run.tasks, run.info.status]).toEqual([{ fatal: 1 }, "failed"]);
    expect(run.events.find(({ event }) => event === "reuse_loaded").payload).toMatchObject({
      reused_tasks: 1,
      tasks_to_run: 0,
    });
    expect(second.stderr).toContain("--max-retries 1 runs them again");
  });

  it("runs it again with --max-retries 1, which uses up one retry in the stage recovery", async () => {
    const lab = await afterFatal();
    const second = await lab.run("second", ["--reuse", "first", "--max-retries", "1"]);
    expect([second.code, lab.model.requests.length]).toEqual([0, 4]);
    const run = await lab.look("second");
    expect([run.tasks, run.info.status]).toEqual([{ normal: 1 }, "completed"]);
    expect(run.events.find(({ event }) => event === "attempt_retry").payload).toMatchObject({
      stage: "recovery",
      retry: 1,
    });
    expect(await run.json(/attempt-1\/result\.json$/)).toMatchObject({ retry_count: 1 });
    expect((await lab.look("first")).tasks).toEqual({ fatal: 1 });
  });
});

describe("reuse without an earlier run", () => {
  it("is a fresh run that records no reuse; unlike AgentCompass it says so", async () => {
    const lab = await openLab([{}]);
    const { code, stderr } = await lab.run("r", ["--reuse", "--log-level", "WARNING"]);
    const run = await lab.look("r");
    expect([code, run.tasks, run.info.reused_from]).toEqual([0, { normal: 1 }, undefined]);
    expect(run.info.request.runtime.reuse).not.toBe(true);
    expect(stderr).toContain("no earlier run");
  });
});
