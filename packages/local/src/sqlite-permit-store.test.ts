import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogRecord, PermitStore } from "@agentcompass/core/port";
import { FakeClock, permitStoreSuite } from "@agentcompass/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { createHolder } from "./holder.ts";
import { openPermitStore } from "./sqlite-permit-store.ts";

const directory = mkdtempSync(join(tmpdir(), "permits-"));
let files = 0;
const newPath = (): string => join(directory, `${files++}`, "permits.sqlite");
afterAll(() => rmSync(directory, { recursive: true }));

permitStoreSuite("SQLite in memory", (setup) => openPermitStore({ ...setup, path: ":memory:", holder: "self" }));
permitStoreSuite("SQLite file", (setup) => openPermitStore({ ...setup, path: newPath(), holder: "self" }));

const one = [{ name: "x", capacity: 1, intervalMs: 0 }];

describe("openPermitStore", () => {
  const open = (path: string, holder = createHolder(), clock = new FakeClock()): Promise<PermitStore> =>
    openPermitStore({ path, holder, clock });

  it("two stores on one file share their limits", async () => {
    const path = newPath();
    const [first, second] = [await open(path), await open(path)];
    expect(await first.acquire({ ticket: "a", holder: "alice", limits: one })).toMatchObject({ kind: "granted" });
    expect(await second.acquire({ ticket: "b", holder: "bob", limits: one })).toMatchObject({
      kind: "wait-for-release",
    });
    await first.release("a");
    expect(await second.acquire({ ticket: "b", holder: "bob", limits: one })).toMatchObject({ kind: "granted" });
    await first.close();
    await second.close();
  });

  it("gives back what its own holder still has when it closes", async () => {
    const path = newPath();
    const [first, second] = [await open(path, "me"), await open(path, "other")];
    await first.acquire({ ticket: "a", holder: "me", limits: one });
    await first.close();
    await first.close();
    expect(await second.counts()).toEqual({});
    await second.close();
  });

  it("takes its own leases for live after the machine slept, and those of a silent holder for expired", async () => {
    const clock = new FakeClock();
    const store = await open(":memory:", "me", clock);
    const two = [{ name: "x", capacity: 2, intervalMs: 0 }];
    await store.acquire({ ticket: "mine", holder: "me", limits: two });
    await store.acquire({ ticket: "theirs", holder: "other", limits: two });
    await clock.advance(3_600_000);
    expect(await store.acquire({ ticket: "next", holder: "me", limits: two })).toMatchObject({ kind: "granted" });
    expect(await store.acquire({ ticket: "more", holder: "me", limits: two })).toMatchObject({
      kind: "wait-for-release",
    });
    await store.close();
  });

  it("moves a corrupt file aside with a warning and makes a new one", async () => {
    const path = join(directory, "corrupt.sqlite");
    writeFileSync(path, "no database at all ".repeat(1_000));
    const records: LogRecord[] = [];
    const store = await openPermitStore({
      path,
      holder: "me",
      clock: new FakeClock(),
      log: (record) => records.push(record),
    });
    expect(await store.acquire({ ticket: "a", holder: "me", limits: one })).toMatchObject({ kind: "granted" });
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ level: "WARNING", message: expect.stringContaining(path) });
    expect(readdirSync(directory).some((name) => name.startsWith("corrupt.sqlite.corrupt-"))).toBe(true);
    await store.close();
  });

  it("refuses a place that cannot be written, naming it", async () => {
    writeFileSync(join(directory, "file"), "");
    const path = join(directory, "file", "permits.sqlite");
    await expect(open(path)).rejects.toMatchObject({
      code: "store.unwritable",
      message: expect.stringContaining(join(directory, "file")),
    });
    await expect(open(directory)).rejects.toMatchObject({
      code: "store.unwritable",
      message: expect.stringContaining(directory),
    });
  });

  it("counts an ask without limits in nothing, and releases it once", async () => {
    const store = await open(":memory:");
    expect(await store.acquire({ ticket: "a", holder: "me", limits: [] })).toMatchObject({ kind: "granted" });
    expect(await store.counts()).toEqual({});
    expect([await store.release("a"), await store.release("a")]).toEqual([true, false]);
    await store.close();
  });
});
