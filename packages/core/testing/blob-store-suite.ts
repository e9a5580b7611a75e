import { beforeEach, describe, expect, it } from "vitest";
import type { BlobStore } from "../src/port/index.ts";

/** What every BlobStore must do; run it on each adapter with an empty store per call of `create`. */
export function blobStoreSuite(name: string, create: () => BlobStore | Promise<BlobStore>): void {
  describe(`blob store contract: ${name}`, () => {
    let store: BlobStore;

    const text = async (key: string): Promise<string | undefined> => {
      const value = await store.get(key);
      return value && Buffer.from(value).toString("utf8");
    };

    beforeEach(async () => {
      store = await create();
    });

    it("put replaces the whole value or nothing; a reader never sees half of it", async () => {
      const values = ["a", "b"].map((letter) => letter.repeat(300_000));
      await store.put("deep/er/key", values[0]!);
      const writes = (async () => {
        for (let round = 0; round < 20; round++) await store.put("deep/er/key", values[round % 2]!);
      })();
      let isWriting = true;
      const ended = writes.finally(() => {
        isWriting = false;
      });
      while (isWriting) {
        const seen = await text("deep/er/key");
        expect(values.some((value) => value === seen)).toBe(true);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await ended;
      expect(await store.children("deep/er")).toEqual(["key"]);
    });

    it("put with `durable` returns only when the value survives a crash of the machine", async () => {
      // The crash itself cannot be staged here: what can be seen is that the value is whole at its key.
      await store.put("a/b.json", "old", { durable: true });
      await store.put("a/b.json", "new", { durable: true });
      expect(await text("a/b.json")).toBe("new");
      expect(await store.children("a")).toEqual(["b.json"]);
    });

    it("put keeps bytes as they are", async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      await store.put("bytes", bytes);
      expect([...(await store.get("bytes"))!]).toEqual([...bytes]);
    });

    it("create fails with `run.exists` when the key exists, whoever wins", async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => store.reserve("runs/one")));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "run.exists" });
      }
      await store.put("runs/two/file", "x");
      await expect(store.reserve("runs/two")).rejects.toMatchObject({ code: "run.exists" });
      await store.put("runs/three", "a file");
      await expect(store.reserve("runs/three")).rejects.toMatchObject({ code: "run.exists" });
    });

    it("append adds at the end; appends of one process keep their order", async () => {
      await Promise.all(Array.from({ length: 200 }, (_, index) => store.append("log/events.jsonl", `${index}\n`)));
      expect(await text("log/events.jsonl")).toBe(Array.from({ length: 200 }, (_, index) => `${index}\n`).join(""));
    });

    it("append, put and move of one key see each other", async () => {
      await store.append("a/log", "one ");
      await store.put("a/log", "new ");
      await store.append("a/log", "two");
      await store.move("a", "b");
      await store.append("a/log", "fresh");
      expect(await text("b/log")).toBe("new two");
      expect(await text("a/log")).toBe("fresh");
    });

    it("appends to many keys at once all arrive", async () => {
      const keys = Array.from({ length: 150 }, (_, index) => `many/${index}`);
      await Promise.all(keys.flatMap((key) => [store.append(key, "x"), store.append(key, "y")]));
      expect(new Set(await Promise.all(keys.map(text)))).toEqual(new Set(["xy"]));
    });

    it("move makes every key under one prefix appear under the other, the old ones gone", async () => {
      await store.put("from/a", "1");
      await store.put("from/deep/b", "2");
      await store.put("fromage", "3");
      await store.move("from", "some/where/to");
      expect(await store.list("")).toEqual(["fromage", "some/where/to/a", "some/where/to/deep/b"]);
      expect(await store.children("")).toEqual(["fromage", "some"]);
    });

    it("move into a prefix that has keys joins them, and the moved ones win", async () => {
      await store.put("from/a", "new");
      await store.put("to/a", "old");
      await store.put("to/b", "kept");
      await store.move("from", "to");
      expect([await text("to/a"), await text("to/b")]).toEqual(["new", "kept"]);
      expect(await store.list("")).toEqual(["to/a", "to/b"]);
    });

    it("move of a single key and of nothing work alike", async () => {
      await store.put("a", "1");
      await store.move("a", "b/c");
      await store.move("absent", "d");
      expect(await store.list("")).toEqual(["b/c"]);
    });

    it("get of an absent key is undefined, never an error", async () => {
      await store.put("dir/file", "x");
      expect(await store.get("nothing")).toBeUndefined();
      expect(await store.get("no/such/place")).toBeUndefined();
      expect(await store.get("dir")).toBeUndefined();
      expect(await store.get("dir/file/below")).toBeUndefined();
    });

    it("list gives keys under a prefix in code-point order", async () => {
      const keys = ["p/b", "p/a", "p/\u{1f600}", "p/\uffe5", "p/B", "p/é", "pq"];
      await Promise.all(keys.map((key) => store.put(key, "")));
      await store.put("p/ab/c", "");
      expect(await store.list("p")).toEqual(["p/B", "p/a", "p/ab/c", "p/b", "p/é", "p/\uffe5", "p/\u{1f600}"]);
      expect(await store.list("absent")).toEqual([]);
    });

    it("children gives the names directly under a prefix, directories included", async () => {
      await store.put("run/a/deep/x", "");
      await store.put("run/b", "");
      await store.reserve("run/empty");
      expect(await store.children("run")).toEqual(["a", "b", "empty"]);
      expect(await store.children("absent")).toEqual([]);
    });

    it("copy leaves the source and fails when there is none", async () => {
      await store.put("a", "1");
      await store.copy("a", "deep/b");
      expect([await text("a"), await text("deep/b")]).toEqual(["1", "1"]);
      await expect(store.copy("absent", "c")).rejects.toMatchObject({ code: "run.unreadable" });
      expect(await store.list("")).toEqual(["a", "deep/b"]);
    });

    it("remove takes a key or everything under a prefix, and nothing else", async () => {
      await Promise.all(["x/a", "x/b/c", "xy", "z"].map((key) => store.put(key, "")));
      await store.remove("x");
      await store.remove("z");
      await store.remove("absent");
      expect(await store.list("")).toEqual(["xy"]);
      expect(await store.children("")).toEqual(["xy"]);
    });

    it.each(["", "../out", "a/../b", "/etc/passwd", "a//b", "a/", "./a", "a\0b"])("refuses the key %j", async (key) => {
      await expect((async () => store.put(key, "x"))()).rejects.toMatchObject({ code: "internal.unexpected" });
      await expect((async () => store.get(key))()).rejects.toMatchObject({ code: "internal.unexpected" });
      await expect((async () => store.append(key, "x"))()).rejects.toMatchObject({ code: "internal.unexpected" });
      await expect((async () => store.remove(key))()).rejects.toMatchObject({ code: "internal.unexpected" });
    });

    it("locate names a place that ends with the key", () => {
      expect(store.locate("a/b.json")).toMatch(/^(\/|s3:\/\/).*a\/b\.json$/);
    });
  });
}
