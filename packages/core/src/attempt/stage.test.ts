import { describe, expect, it } from "vitest";
import { FakeClock } from "../../testing/fake-clock.ts";
import { StageTimeout } from "./grade.ts";
import { runStage } from "./stage.ts";

const limit = (seconds: number | null) => ({ what: "the work", seconds, source: "an.option", graceMs: 1000 });

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

describe("runStage", () => {
  it("gives back what the work gives and leaves no timer", async () => {
    const clock = new FakeClock();
    await expect(runStage(limit(5), clock, new AbortController().signal, async () => 7)).resolves.toBe(7);
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it("throws StageTimeout when the time is over, after the work has noticed", async () => {
    const clock = new FakeClock();
    let noticed = false;
    const work = runStage(limit(5), clock, new AbortController().signal, (signal) =>
      untilAborted(signal).finally(() => {
        noticed = true;
      }),
    );
    const outcome = expect(work).rejects.toBeInstanceOf(StageTimeout);
    await clock.runUntilIdle();
    await outcome;
    expect(noticed).toBe(true);
  });

  it("leaves work behind that ignores its signal, after the grace", async () => {
    const clock = new FakeClock();
    const startedAt = clock.now();
    const work = runStage(limit(5), clock, new AbortController().signal, () => new Promise<never>(() => {}));
    const outcome = expect(work).rejects.toBeInstanceOf(StageTimeout);
    await clock.runUntilIdle();
    await outcome;
    expect(clock.now() - startedAt).toBe(6000);
  });

  it("throws the outer reason when it is cancelled", async () => {
    const clock = new FakeClock();
    const outer = new AbortController();
    const work = runStage(limit(null), clock, outer.signal, untilAborted);
    const outcome = expect(work).rejects.toThrow("stop now");
    outer.abort(new Error("stop now"));
    await clock.runUntilIdle();
    await outcome;
  });

  it("throws the work's own failure", async () => {
    const clock = new FakeClock();
    const failing = runStage(limit(5), clock, new AbortController().signal, async () => {
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
  });

  it("does not start when it is cancelled already", async () => {
    const outer = new AbortController();
    outer.abort(new Error("too late"));
    let started = false;
    const work = runStage(limit(5), new FakeClock(), outer.signal, async () => {
      started = true;
    });
    await expect(work).rejects.toThrow("too late");
    expect(started).toBe(false);
  });
});
