import { describe, expect, it } from "vitest";
import { FakeClock } from "../../testing/fake-clock.ts";
import { createWriter, VIEW_INTERVAL_MS } from "./writer.ts";

describe("createWriter", () => {
  it("writes at most four times a second, however often it is asked", async () => {
    const clock = new FakeClock();
    const writes: number[] = [];
    const writer = createWriter(clock, async () => {
      writes.push(clock.now());
    });
    for (let step = 0; step < 100; step += 1) {
      writer.touch();
      await clock.advance(20);
    }
    await writer.finish();
    expect(writes.length).toBeLessThanOrEqual(9);
    for (let index = 1; index < writes.length - 1; index += 1)
      expect((writes[index] ?? 0) - (writes[index - 1] ?? 0)).toBeGreaterThanOrEqual(VIEW_INTERVAL_MS);
  });

  it("writes what is outstanding when it finishes", async () => {
    const clock = new FakeClock();
    let writes = 0;
    const writer = createWriter(clock, async () => {
      writes += 1;
    });
    writer.touch();
    await writer.finish();
    expect(writes).toBe(1);
  });

  it("throws the first failure of any write when it finishes", async () => {
    const clock = new FakeClock();
    const writer = createWriter(clock, async () => {
      throw new Error("disk full");
    });
    writer.touch();
    await clock.advance(1000);
    await expect(writer.finish()).rejects.toThrow("disk full");
  });
});
