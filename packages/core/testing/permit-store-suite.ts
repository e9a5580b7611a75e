import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LimitAsk, PermitAsk, PermitStore } from "../src/port/index.ts";
import { FakeClock } from "./fake-clock.ts";

export type PermitStoreSetup = {
  readonly clock: FakeClock;
  readonly leaseMs: number;
  readonly isAlive: (holder: string) => boolean;
};

const LEASE_MS = 30_000;

const limit = (name: string, capacity: number | null, intervalMs = 0): LimitAsk => ({ name, capacity, intervalMs });

const ask = (ticket: string, limits: readonly LimitAsk[], holder = "alice"): PermitAsk => ({ ticket, holder, limits });

/** What every PermitStore must do; run it on each adapter with an empty store per call of `create`. */
export function permitStoreSuite(
  name: string,
  create: (setup: PermitStoreSetup) => PermitStore | Promise<PermitStore>,
): void {
  describe(`permit store contract: ${name}`, () => {
    let clock: FakeClock;
    let store: PermitStore;
    const dead = new Set<string>();

    const kind = async (request: PermitAsk): Promise<string> => (await store.acquire(request)).kind;

    beforeEach(async () => {
      dead.clear();
      clock = new FakeClock();
      store = await create({ clock, leaseMs: LEASE_MS, isAlive: (holder) => !dead.has(holder) });
    });
    afterEach(async () => {
      await store.close();
    });

    it("acquire takes every limit of an ask or none", async () => {
      const both = [limit("narrow", 1), limit("wide", 5)];
      expect(await store.acquire(ask("a", both))).toEqual({ kind: "granted", leaseId: "a" });
      expect(await store.acquire(ask("b", both))).toEqual({
        kind: "wait-for-release",
        why: { limit: "narrow", reason: "full" },
      });
      expect(await store.counts()).toEqual({ narrow: 1, wide: 1 });
    });

    it("a grant never lifts a limit above the capacity named in the ask", async () => {
      for (const ticket of ["a", "b", "c"]) expect(await kind(ask(ticket, [limit("x", 3)]))).toBe("granted");
      expect(await kind(ask("d", [limit("x", 3)]))).toBe("wait-for-release");
      await store.abandon("d");
      expect(await kind(ask("e", [limit("x", 2)]))).toBe("wait-for-release");
      await store.abandon("e");
      expect(await kind(ask("f", [limit("x", 4)]))).toBe("granted");
      expect(await store.counts()).toEqual({ x: 4 });
    });

    it("a limit without a capacity is never full, and its leases are counted", async () => {
      for (let index = 0; index < 20; index++) expect(await kind(ask(`t${index}`, [limit("x", null)]))).toBe("granted");
      expect(await store.counts()).toEqual({ x: 20 });
    });

    it("among asks that wait for one limit, the oldest live one is served first", async () => {
      const one = [limit("x", 1)];
      await store.acquire(ask("held", one));
      expect(await kind(ask("first", one))).toBe("wait-for-release");
      expect(await kind(ask("second", one))).toBe("wait-for-release");
      await store.release("held");
      expect(await store.acquire(ask("second", one))).toEqual({
        kind: "wait-for-release",
        why: { limit: "x", reason: "queued" },
      });
      expect(await kind(ask("newcomer", one))).toBe("wait-for-release");
      expect(await kind(ask("first", one))).toBe("granted");
      await store.release("first");
      expect(await kind(ask("newcomer", one))).toBe("wait-for-release");
      expect(await kind(ask("second", one))).toBe("granted");
    });

    it("a waiter that gives up or expires holds nobody back", async () => {
      const one = [limit("x", 1)];
      await store.acquire(ask("held", one));
      await store.acquire(ask("gone", one));
      await store.acquire(ask("silent", one, "bob"));
      await store.release("held");
      await store.abandon("gone");
      expect(await kind(ask("later", one))).toBe("wait-for-release");
      await clock.advance(LEASE_MS - 1);
      await store.renew("alice");
      await clock.advance(1);
      expect(await kind(ask("later", one))).toBe("granted");
    });

    it("a waiter held up at a full limit does not hold back asks for a later limit of its own", async () => {
      await store.acquire(ask("held", [limit("narrow", 1), limit("wide", 2)]));
      expect(await kind(ask("stuck", [limit("narrow", 1), limit("wide", 2)]))).toBe("wait-for-release");
      expect(await kind(ask("other", [limit("wide", 2)]))).toBe("granted");
    });

    it("a paced limit grants at most once per interval, with no burst", async () => {
      const paced = [limit("x", null, 1_000)];
      await clock.advance(10_000);
      expect(await kind(ask("a", paced))).toBe("granted");
      const start = clock.now();
      expect(await store.acquire(ask("b", paced))).toEqual({
        kind: "wait-until",
        at: start + 1_000,
        why: { limit: "x", reason: "paced" },
      });
      expect(await kind(ask("c", paced))).toBe("wait-for-release");
      await clock.advance(999);
      expect(await kind(ask("b", paced))).toBe("wait-until");
      await clock.advance(1);
      expect(await kind(ask("b", paced))).toBe("granted");
      expect(await store.acquire(ask("c", paced))).toMatchObject({ kind: "wait-until", at: start + 2_000 });
    });

    it("a release does not shorten a pace", async () => {
      const paced = [limit("x", 1, 1_000)];
      await store.acquire(ask("a", paced));
      await store.release("a");
      expect(await kind(ask("b", paced))).toBe("wait-until");
    });

    it("release is idempotent and never takes a count below zero", async () => {
      await store.acquire(ask("a", [limit("x", 2)]));
      await store.acquire(ask("b", [limit("x", 2)]));
      expect(await store.release("a")).toBe(true);
      expect(await store.release("a")).toBe(false);
      expect(await store.release("never there")).toBe(false);
      expect(await store.counts()).toEqual({ x: 1 });
      await store.release("b");
      expect(await store.counts()).toEqual({});
    });

    it("a ticket that is granted already is granted again, as the same lease", async () => {
      await store.acquire(ask("a", [limit("x", 1)]));
      expect(await store.acquire(ask("a", [limit("x", 1)]))).toEqual({ kind: "granted", leaseId: "a" });
      expect(await store.counts()).toEqual({ x: 1 });
    });

    it("a lease that is not renewed before its expiry no longer counts", async () => {
      await store.acquire(ask("renewed", [limit("x", 2)], "alice"));
      await store.acquire(ask("forgotten", [limit("x", 2)], "bob"));
      await clock.advance(LEASE_MS / 2);
      await store.renew("alice");
      expect(await kind(ask("next", [limit("x", 2)]))).toBe("wait-for-release");
      await clock.advance(LEASE_MS / 2);
      expect(await store.counts()).toEqual({ x: 1 });
      expect(await kind(ask("next", [limit("x", 2)]))).toBe("granted");
      expect(await kind(ask("more", [limit("x", 2)]))).toBe("wait-for-release");
    });

    it("a lease whose holder is known to be dead is taken back at once", async () => {
      await store.acquire(ask("a", [limit("x", 1)], "bob"));
      await store.acquire(ask("b", [limit("x", 1)], "bob"));
      expect(await kind(ask("c", [limit("x", 1)]))).toBe("wait-for-release");
      dead.add("bob");
      expect(await store.counts()).toEqual({});
      expect(await kind(ask("c", [limit("x", 1)]))).toBe("granted");
    });

    it("a waiter whose holder is known to be dead holds nobody back", async () => {
      await store.acquire(ask("held", [limit("x", 1)]));
      await store.acquire(ask("ghost", [limit("x", 1)], "bob"));
      await store.release("held");
      expect(await kind(ask("c", [limit("x", 1)]))).toBe("wait-for-release");
      dead.add("bob");
      expect(await kind(ask("c", [limit("x", 1)]))).toBe("granted");
    });
  });
}
