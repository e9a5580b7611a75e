import { describe, expect, it } from "vitest";
import { FakeClock, MemoryPermitStore } from "../../testing/index.ts";
import type { LimitAsk, PermitAsk, WaitReason } from "../port/index.ts";
import { holdPermit } from "./hold-permit.ts";

const limit = (name: string, capacity: number | null, intervalMs = 0): LimitAsk => ({ name, capacity, intervalMs });
const ask = (ticket: string, limits: readonly LimitAsk[]): PermitAsk => ({ ticket, holder: "me", limits });

function setup() {
  const clock = new FakeClock();
  const store = new MemoryPermitStore({ clock });
  const hold = (
    ticket: string,
    limits: readonly LimitAsk[],
    options: { signal?: AbortSignal; onWait?: (why: WaitReason) => void } = {},
  ) => holdPermit(store, ask(ticket, limits), { clock, ...options });
  return { clock, store, hold };
}

describe("holdPermit", () => {
  it("is granted at once when there is room, and measures no waiting", async () => {
    const { hold, store } = setup();
    const held = await hold("a", [limit("x", 1)]);
    expect(held).toMatchObject({ leaseId: "a", waitedMs: 0 });
    await held.release();
    expect(await store.counts()).toEqual({});
  });

  it("a release in this process wakes the next at once, without the clock moving", async () => {
    const { clock, hold } = setup();
    const first = await hold("a", [limit("x", 1)]);
    const second = hold("b", [limit("x", 1)]);
    await clock.advance(5);
    await first.release();
    expect((await second).waitedMs).toBe(5);
  });

  it("a second release of one permit does not free another's", async () => {
    const { clock, hold, store } = setup();
    const first = await hold("a", [limit("x", 1)]);
    await Promise.all([first.release(), first.release()]);
    await hold("b", [limit("x", 1)]);
    await first.release();
    await clock.advance(0);
    expect(await store.counts()).toEqual({ x: 1 });
  });

  it("sees a release of another process within 100 ms", async () => {
    const { clock, hold, store } = setup();
    await store.acquire(ask("elsewhere", [limit("x", 1)]));
    const waiting = hold("a", [limit("x", 1)]);
    await clock.advance(10_000);
    await store.release("elsewhere");
    await clock.advance(100);
    expect((await waiting).waitedMs).toBeLessThanOrEqual(10_100);
  });

  it("waits for a pace exactly until it comes due", async () => {
    const { clock, hold } = setup();
    const paced = [limit("x", null, 1_000)];
    const waited = await clock.runUntil(Promise.all(["a", "b", "c", "d"].map((ticket) => hold(ticket, paced))));
    expect(waited.map(({ waitedMs }) => waitedMs)).toEqual([0, 1_000, 2_000, 3_000]);
  });

  it("serves a thousand waiters in their order and asks the store a few times for each", async () => {
    const { clock, store } = setup();
    let asked = 0;
    const counting = Object.assign(Object.create(store) as MemoryPermitStore, {
      acquire: (request: PermitAsk) => {
        asked += 1;
        return store.acquire(request);
      },
      release: (id: string) => store.release(id),
      abandon: (id: string) => store.abandon(id),
    });
    const order: number[] = [];
    const work = async (index: number): Promise<void> => {
      const held = await holdPermit(counting, ask(`t${index}`, [limit("x", 4)]), { clock });
      order.push(index);
      await clock.sleep(10);
      await held.release();
    };
    await clock.runUntil(Promise.all(Array.from({ length: 1_000 }, (_, index) => work(index))));
    expect(order).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
    expect(asked).toBeLessThan(5_000);
    expect(await store.counts()).toEqual({});
  });

  it("tells why it waits, at first and at each change", async () => {
    const { clock, hold } = setup();
    const reasons: WaitReason[] = [];
    const first = await hold("a", [limit("x", 1), limit("y", 1, 50)]);
    const second = hold("b", [limit("x", 1), limit("y", 1, 50)], { onWait: (why) => reasons.push(why) });
    await clock.advance(1);
    await first.release();
    await clock.runUntil(second);
    expect(reasons).toEqual([
      { limit: "x", reason: "full" },
      { limit: "y", reason: "paced" },
    ]);
  });

  it("an abort gives the ticket up and rejects with the reason", async () => {
    const { clock, hold, store } = setup();
    const reason = new Error("cancelled");
    const controller = new AbortController();
    const first = await hold("a", [limit("x", 1)]);
    const second = hold("b", [limit("x", 1)], { signal: controller.signal });
    const third = hold("c", [limit("x", 1)]);
    const outcome = expect(second).rejects.toBe(reason);
    await clock.advance(1);
    controller.abort(reason);
    await outcome;
    await first.release();
    expect((await third).leaseId).toBe("c");
    expect(store.state.waiters).toEqual([]);
    await expect(hold("d", [limit("x", 1)], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("an abort while the store decides leaves no lease behind", async () => {
    const { clock, store } = setup();
    const controller = new AbortController();
    const slow = Object.assign(Object.create(store) as MemoryPermitStore, {
      acquire: async (request: PermitAsk) => {
        const decision = await store.acquire(request);
        controller.abort(new Error("cancelled"));
        return decision;
      },
      release: (id: string) => store.release(id),
      abandon: (id: string) => store.abandon(id),
    });
    const held = holdPermit(slow, ask("a", [limit("x", 1)]), { clock, signal: controller.signal });
    await expect(held).rejects.toThrow("cancelled");
    expect(await store.counts()).toEqual({});
  });

  it("leaves no sleeper behind when nobody waits any more", async () => {
    const { clock, hold } = setup();
    const first = await hold("a", [limit("x", 1)]);
    const second = hold("b", [limit("x", 1)]);
    await clock.advance(1);
    await first.release();
    await (await second).release();
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it("a store that fails fails the waiters, and the next ask is served", async () => {
    const { clock, store } = setup();
    let isBroken = false;
    const breaking = Object.assign(Object.create(store) as MemoryPermitStore, {
      acquire: (request: PermitAsk) => (isBroken ? Promise.reject(new Error("broken")) : store.acquire(request)),
      release: (id: string) => store.release(id),
      abandon: (id: string) => store.abandon(id),
    });
    const first = await holdPermit(breaking, ask("a", [limit("x", 1)]), { clock });
    const second = holdPermit(breaking, ask("b", [limit("x", 1)]), { clock });
    const outcome = expect(second).rejects.toThrow("broken");
    await clock.advance(1);
    isBroken = true;
    await clock.advance(1_000);
    await outcome;
    isBroken = false;
    await store.abandon("b");
    await first.release();
    expect((await holdPermit(breaking, ask("c", [limit("x", 1)]), { clock })).leaseId).toBe("c");
  });
});
