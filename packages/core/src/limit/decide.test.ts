import { describe, expect, it } from "vitest";
import type { LimitAsk } from "../port/index.ts";
import type { PermitView } from "./decide.ts";
import { decide } from "./decide.ts";

const NOW = 1_000_000;

const limit = (name: string, capacity: number | null, intervalMs = 0): LimitAsk => ({ name, capacity, intervalMs });

const view = (facts: {
  used?: Record<string, number>;
  last?: Record<string, number>;
  older?: LimitAsk[][];
}): PermitView => ({
  used: (name) => facts.used?.[name] ?? 0,
  lastGrantAt: (name) => facts.last?.[name],
  older: (facts.older ?? []).map((limits) => ({ limits })),
});

describe("decide", () => {
  it("grants when every limit has room", () => {
    expect(decide(view({ used: { a: 1 } }), [limit("a", 2), limit("b", 1)], NOW)).toEqual({ kind: "grant" });
  });

  it("names the first full limit", () => {
    expect(decide(view({ used: { a: 1, b: 1 } }), [limit("a", 2), limit("b", 1)], NOW)).toEqual({
      kind: "wait-for-release",
      why: { limit: "b", reason: "full" },
    });
  });

  it("queues behind an older waiter that could be granted now, although there is room for both", () => {
    const verdict = decide(view({ older: [[limit("a", 5)]] }), [limit("a", 5)], NOW);
    expect(verdict).toEqual({ kind: "wait-for-release", why: { limit: "a", reason: "queued" } });
  });

  it("does not let a larger capacity overtake an older waiter of the same limit", () => {
    const facts = view({ used: { a: 2 }, older: [[limit("a", 2)]] });
    expect(decide(facts, [limit("a", 9)], NOW)).toMatchObject({ why: { reason: "queued" } });
  });

  it("uses a limit that an older waiter has not reached yet, down to its last slot", () => {
    const facts = view({ used: { own: 1, wide: 1 }, older: [[limit("own", 1), limit("wide", 2)]] });
    expect(decide(facts, [limit("wide", 2)], NOW)).toEqual({ kind: "grant" });
  });

  it("leaves one slot of a limit that an older waiter has passed already", () => {
    const older = [[limit("own", 3), limit("wide", 2)]];
    const isGranted = (used: number): boolean =>
      decide(view({ used: { own: used, wide: 2 }, older }), [limit("own", 3)], NOW).kind === "grant";
    expect([0, 1, 2].map(isGranted)).toEqual([true, true, false]);
  });

  it("waits for the pace only after every slot is free, so that a full limit wastes no pace", () => {
    const facts = { last: { p: NOW - 10 }, older: [[limit("p", 5, 100), limit("m", 1)]] };
    expect(decide(view({ ...facts, used: { m: 1 } }), [limit("p", 5, 100)], NOW + 90)).toEqual({ kind: "grant" });
    expect(decide(view(facts), [limit("p", 5, 100)], NOW + 90)).toMatchObject({ why: { reason: "queued" } });
  });

  it("tells when the pace comes due", () => {
    expect(decide(view({ last: { p: NOW - 10 } }), [limit("p", null, 100)], NOW)).toEqual({
      kind: "wait-until",
      at: NOW + 90,
      why: { limit: "p", reason: "paced" },
    });
  });

  it("ignores a pace mark from before the clock was set back", () => {
    expect(decide(view({ last: { p: NOW + 3_600_000 } }), [limit("p", null, 100)], NOW)).toEqual({ kind: "grant" });
  });

  it("an older waiter without a limit of its own there holds nobody back", () => {
    const facts = view({ used: { b: 1 }, older: [[limit("a", null), limit("b", 1)]] });
    expect(decide(facts, [limit("a", 1)], NOW)).toEqual({ kind: "grant" });
  });
});
