import { describe, expect, it } from "vitest";
import { createWriteBehind } from "./write-behind.ts";

const never = new AbortController().signal;

describe("a write behind", () => {
  it("writes in the order given, one after the other", async () => {
    const behind = createWriteBehind(never);
    const seen: string[] = [];
    const write = (name: string, turns: number) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      seen.push(`${name} ends`);
    };
    behind.add(write("a", 5));
    behind.add(write("b", 0));
    await behind.done();
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  it("stops what runs with the error of the first write that fails, and writes nothing after it", async () => {
    const behind = createWriteBehind(never);
    const full = new Error("disk full");
    let written = 0;
    behind.add(() => Promise.reject(full));
    behind.add(async () => {
      written += 1;
    });
    await behind.settled();
    expect(behind.signal.reason).toBe(full);
    await expect(behind.done()).rejects.toBe(full);
    expect(written).toBe(0);
  });

  it("aborts with the outer signal, and still ends its writes", async () => {
    const outer = new AbortController();
    const behind = createWriteBehind(outer.signal);
    let written = 0;
    behind.add(async () => {
      written += 1;
    });
    outer.abort(new Error("cancelled"));
    await behind.done();
    expect(behind.signal.reason).toMatchObject({ message: "cancelled" });
    expect(written).toBe(1);
  });
});
