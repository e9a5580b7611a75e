import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../testing/index.ts";
import type { LimitAsk, PermitAsk, PermitDecision } from "../port/index.ts";
import { decide } from "./decide.ts";
import { abandon, acquire, countLeases, expire, reclaim, release, renew } from "./permit-algebra.ts";
import type { PermitState } from "./permit-state.ts";
import { askSignature, EMPTY_PERMIT_STATE } from "./permit-state.ts";

const LEASE_MS = 1_000;

const limits = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom<string>("a", "b", "c"),
    capacity: fc.constantFrom<number | null>(null, 1, 1, 2, 3),
    intervalMs: fc.constantFrom<number>(0, 0, 7, 50),
  }),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);

/** As in practice: a limit's capacity and interval are the same for all, asks name different limits. */
const POOLS: Record<string, LimitAsk> = {
  a: { name: "a", capacity: 1, intervalMs: 0 },
  b: { name: "b", capacity: 2, intervalMs: 20 },
  c: { name: "c", capacity: 3, intervalMs: 30 },
  d: { name: "d", capacity: null, intervalMs: 0 },
};
const pools = fc
  .uniqueArray(fc.constantFrom(...Object.keys(POOLS)), { minLength: 1, maxLength: 4 })
  .map((names) => names.map((name) => POOLS[name]!));

const holder = fc.constantFrom("alice", "bob");
const ticket = fc.nat({ max: 11 }).map((index) => `t${index}`);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("acquire" as const), ticket, holder, limits }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("release" as const), ticket }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("abandon" as const), ticket }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.nat({ max: 400 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("renew" as const, "reclaim" as const), holder }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Seen = { before: PermitState; after: PermitState; now: number; ask: PermitAsk; decision: PermitDecision };

/** Plays a schedule and shows each acquire. */
function play(
  steps: readonly Step[],
  onAcquire: (seen: Seen) => void,
  onStep?: (state: PermitState, now: number) => void,
): void {
  let state = EMPTY_PERMIT_STATE;
  let now = 1_000_000;
  for (const action of steps) {
    if (action.do === "advance") now += action.ms;
    if (action.do === "release") state = release(state, action.ticket);
    if (action.do === "abandon") state = abandon(state, action.ticket);
    if (action.do === "renew") state = renew(state, action.holder, now + LEASE_MS);
    if (action.do === "reclaim") state = reclaim(state, action.holder);
    if (action.do === "acquire") {
      const before = state;
      const acquired = acquire(before, { ask: action, now, leaseMs: LEASE_MS });
      state = acquired.state;
      onAcquire({ before, after: state, now, ask: action, decision: acquired.decision });
    }
    onStep?.(state, now);
  }
}

const schedules: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 120, size: "max" });
const isNewGrant = ({ before, now, ask, decision }: Seen): boolean =>
  decision.kind === "granted" && !expire(before, now).leases.some(({ id }) => id === ask.ticket);

describe("permit algebra over random schedules", () => {
  it("I1: no grant lifts a limit above the capacity named in the ask", () => {
    fc.assert(
      fc.property(schedules, (steps) => {
        play(steps, (seen) => {
          if (!isNewGrant(seen)) return;
          const counts = countLeases(seen.after, seen.now);
          for (const { name, capacity } of seen.ask.limits) {
            expect(counts[name]).toBeLessThanOrEqual(capacity ?? Number.POSITIVE_INFINITY);
          }
        });
      }),
    );
  });

  it("I2: grants of a paced limit in any window t are at most 1 + t / interval", () => {
    const paced = schedules.map((steps) =>
      steps.map((action) =>
        action.do === "acquire" ? { ...action, limits: [{ name: "p", capacity: null, intervalMs: 50 }] } : action,
      ),
    );
    fc.assert(
      fc.property(paced, (steps) => {
        const grants: number[] = [];
        play(steps, (seen) => {
          if (isNewGrant(seen)) grants.push(seen.now);
        });
        for (const [first, from] of grants.entries()) {
          for (const [index, to] of grants.slice(first).entries())
            expect(index + 1).toBeLessThanOrEqual(1 + (to - from) / 50);
        }
      }),
    );
  });

  it("I4: the counts are the live leases, and 0 at rest", () => {
    fc.assert(
      fc.property(schedules, (steps) => {
        let last = EMPTY_PERMIT_STATE;
        let lastNow = 0;
        play(
          steps,
          () => undefined,
          (state, now) => {
            const live = state.leases.filter(({ expiresAt }) => expiresAt > now);
            const expected = live.flatMap((lease) => lease.limits).length;
            const counted = Object.values(countLeases(state, now)).reduce((sum, count) => sum + count, 0);
            expect(counted).toBe(expected);
            [last, lastNow] = [state, now];
          },
        );
        const atRest = last.leases.reduce((state, lease) => release(state, lease.id), last);
        expect(countLeases(atRest, lastNow)).toEqual({});
        expect(countLeases(last, lastNow + LEASE_MS)).toEqual({});
      }),
    );
  });

  it("a ticket is never a lease and a waiter at once, and every limit of a lease is taken or none", () => {
    fc.assert(
      fc.property(schedules, (steps) => {
        play(steps, (seen) => {
          const lease = seen.after.leases.find(({ id }) => id === seen.ask.ticket);
          const waits = seen.after.waiters.some((waiter) => waiter.ticket === seen.ask.ticket);
          expect(waits).toBe(seen.decision.kind !== "granted");
          expect(lease !== undefined).toBe(seen.decision.kind === "granted");
          if (isNewGrant(seen)) expect(lease?.limits).toEqual(seen.ask.limits.map(({ name }) => name));
        });
      }),
    );
  });

  it("release is idempotent", () => {
    fc.assert(
      fc.property(schedules, ticket, (steps, id) => {
        play(
          steps,
          () => undefined,
          (state) => {
            const once = release(state, id);
            expect(release(once, id)).toBe(once);
          },
        );
      }),
    );
  });

  it("no ask overtakes an older live waiter with the same limits, unless nothing limits both", () => {
    fc.assert(
      fc.property(schedules, (steps) => {
        play(steps, (seen) => {
          const isLimited = seen.ask.limits.some(({ capacity, intervalMs }) => capacity !== null || intervalMs > 0);
          if (!isNewGrant(seen) || !isLimited) return;
          const live = expire(seen.before, seen.now).waiters;
          const own = live.find((waiter) => waiter.ticket === seen.ask.ticket)?.sequence ?? Number.POSITIVE_INFINITY;
          const overtaken = live.filter(
            (waiter) => waiter.sequence < own && askSignature(waiter) === askSignature(seen.ask),
          );
          expect(overtaken).toEqual([]);
        });
      }),
    );
  });

  it("the oldest waiter of each signature stands for all of them", () => {
    fc.assert(
      fc.property(schedules, limits, (steps, asked) => {
        play(
          steps,
          () => undefined,
          (state, now) => {
            const counts = countLeases(state, now);
            const all = expire(state, now).waiters;
            const firsts = all.filter(
              (waiter) => all.find((other) => askSignature(other) === askSignature(waiter)) === waiter,
            );
            const facts = {
              used: (name: string) => counts[name] ?? 0,
              lastGrantAt: (name: string) => state.lastGrantAt[name],
            };
            const full = decide({ ...facts, older: all }, asked, now);
            expect(decide({ ...facts, older: firsts }, asked, now).kind).toBe(full.kind);
          },
        );
      }),
    );
  });

  it("nobody starves: every waiter is granted when leases are released in finite time", () => {
    const arrival = fc.record({ limits: pools, afterMs: fc.nat({ max: 15 }), workMs: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(arrival, { minLength: 1, maxLength: 40, size: "max" }), fc.nat(), (arrivals, seed) => {
        const granted = grantTimes(arrivals, seededRandom(seed), arrivals.length * 200);
        expect(granted.size).toBe(arrivals.length);
      }),
      { numRuns: 50 },
    );
  }, 30_000);

  it("a waiter for two limits does not starve between streams that keep one or the other full", () => {
    const first = { name: "first", capacity: 1, intervalMs: 0 };
    const second = { name: "second", capacity: 1, intervalMs: 0 };
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (seed, isReversed) => {
        const random = seededRandom(seed);
        const stream = Array.from({ length: 300 }, (_, index) => ({
          limits: [index % 2 === 0 ? first : second],
          afterMs: 5,
          workMs: 10,
        }));
        const mine = { limits: isReversed ? [second, first] : [first, second], afterMs: 0, workMs: 1 };
        const arrivals = [...stream.slice(0, 8), mine, ...stream.slice(8)];
        expect(grantTimes(arrivals, random, 0, "t8").has("t8")).toBe(true);
      }),
      { numRuns: 30 },
    );
  }, 30_000);

  it("nobody starves behind an endless stream of younger asks", () => {
    fc.assert(
      fc.property(pools, fc.nat(), (mine, seed) => {
        const random = seededRandom(seed);
        const others = Object.values(POOLS);
        const stream = Array.from({ length: 300 }, () => ({
          limits: others.filter(() => random() < 0.5),
          afterMs: 5,
          workMs: 1 + Math.floor(random() * 30),
        })).filter((arrival) => arrival.limits.length > 0);
        const arrivals = [...stream.slice(0, 8), { limits: mine, afterMs: 0, workMs: 1 }, ...stream.slice(8)];
        expect(grantTimes(arrivals, random, 0, "t8").has("t8")).toBe(true);
      }),
      { numRuns: 40 },
    );
  }, 30_000);
});

type Arrival = { limits: LimitAsk[]; afterMs: number; workMs: number };

/**
 * Millisecond by millisecond, some waiters ask in a random order, until `graceMs` after the last arrival.
 * Gives the moments of the grants by ticket, up to that of `until`.
 */
function grantTimes(
  arrivals: readonly Arrival[],
  random: () => number,
  graceMs: number,
  until?: string,
): Map<string, number> {
  let state = EMPTY_PERMIT_STATE;
  let arrivesAt = 0;
  const coming = arrivals.map((arrival, index) => {
    arrivesAt += arrival.afterMs;
    return { ...arrival, ticket: `t${index}`, at: arrivesAt };
  });
  const waiting = new Set<(typeof coming)[number]>();
  const granted = new Map<string, number>();
  const ends = new Map<string, number>();
  for (let now = 0; now <= arrivesAt + graceMs && coming.length + waiting.size > 0; now++) {
    for (const [id, at] of ends) if (at <= now && ends.delete(id)) state = release(state, id);
    while (coming[0] && coming[0].at <= now) waiting.add(coming.shift()!);
    const shuffled = [...waiting].map((entry) => ({ entry, rank: random() })).sort((a, b) => a.rank - b.rank);
    for (const { entry } of shuffled.slice(0, 6)) {
      const ask = { ticket: entry.ticket, holder: "alice", limits: entry.limits };
      const acquired = acquire(state, { ask, now, leaseMs: 600_000 });
      state = acquired.state;
      if (acquired.decision.kind !== "granted") continue;
      granted.set(entry.ticket, now);
      ends.set(entry.ticket, now + entry.workMs);
      waiting.delete(entry);
      if (entry.ticket === until) return granted;
    }
  }
  return granted;
}
