import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import { blobStoreSuite } from "@agentcompass/core/testing";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readError, systemCode, writeError } from "./file-error.ts";
import { FolderBlobStore } from "./folder-blob-store.ts";

const directory = mkdtempSync(join(tmpdir(), "blobs-"));
let folders = 0;
const newRoot = (): string => join(directory, `${folders++}`, "root");
afterAll(() => rmSync(directory, { recursive: true }));

blobStoreSuite("folder", () => new FolderBlobStore(newRoot()));

describe("FolderBlobStore", () => {
  let root: string;
  let store: FolderBlobStore;
  beforeEach(() => {
    root = newRoot();
    store = new FolderBlobStore(root);
  });

  it("makes nothing before the first write", async () => {
    expect(await store.get("a")).toBeUndefined();
    expect(await store.list("")).toEqual([]);
    expect(() => readdirSync(root)).toThrow("ENOENT");
  });

  it("a failed put leaves no temporary file, and names the path", async () => {
    await store.put("taken/below", "x");
    await expect(store.put("taken", "y")).rejects.toMatchObject({
      code: "store.unwritable",
      message: expect.stringContaining(join(root, "taken")),
    });
    expect(readdirSync(root)).toEqual(["taken"]);
    await expect(store.put("taken/below/deeper", "y")).rejects.toMatchObject({ code: "store.unwritable" });
    expect(readdirSync(join(root, "taken"))).toEqual(["below"]);
  });

  it("a failed put keeps the old value", async () => {
    await store.put("a", "old");
    const unusable = { length: 3 } as unknown as Uint8Array;
    await expect(store.put("a", unusable)).rejects.toThrow();
    expect(readFileSync(join(root, "a"), "utf8")).toBe("old");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("a temporary file left by a killed process is no key", async () => {
    await store.put("a", "x");
    writeFileSync(join(root, ".a.1-1.agentcompass-tmp"), "half");
    expect(await store.list("")).toEqual(["a"]);
    expect(await store.children("")).toEqual(["a"]);
  });

  it("takes names of 255 bytes", async () => {
    const key = "é".repeat(127);
    await store.put(key, "x");
    expect(await store.list("")).toEqual([key]);
  });

  it("refuses symbolic links that lead outside the folder, for every operation", async () => {
    const outside = join(root, "..", "outside");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "secret"), "secret");
    await store.put("inside/a", "x");
    symlinkSync(outside, join(root, "link"));
    symlinkSync(join(outside, "secret"), join(root, "file-link"));
    const refusal = { code: "store.unwritable" };
    await expect(store.put("link/new", "x")).rejects.toMatchObject(refusal);
    await expect(store.put("link/deep/new", "x")).rejects.toMatchObject(refusal);
    await expect(store.append("link/secret", "x")).rejects.toMatchObject(refusal);
    await expect(store.append("file-link", "x")).rejects.toMatchObject(refusal);
    await expect(store.reserve("link/new")).rejects.toMatchObject(refusal);
    await expect(store.get("link/secret")).rejects.toMatchObject(refusal);
    await expect(store.get("file-link")).rejects.toMatchObject(refusal);
    await expect(store.list("link")).rejects.toMatchObject(refusal);
    await expect(store.copy("file-link", "copy")).rejects.toMatchObject(refusal);
    await expect(store.move("inside", "link/inside")).rejects.toMatchObject(refusal);
    await expect(store.move("link/secret", "mine")).rejects.toMatchObject(refusal);
    await expect(store.remove("link/secret")).rejects.toMatchObject(refusal);
    expect(await store.list("")).toEqual(["inside/a"]);
    expect(readdirSync(outside)).toEqual(["secret"]);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
  });

  it("put over a link replaces the link, never what it points at", async () => {
    mkdirSync(join(root, ".."), { recursive: true });
    writeFileSync(join(root, "..", "target"), "old");
    await store.put("other", "");
    symlinkSync(join(root, "..", "target"), join(root, "a"));
    await store.put("a", "new");
    expect(readFileSync(join(root, "..", "target"), "utf8")).toBe("old");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("new");
  });

  it("reads through a link that stays inside the folder", async () => {
    await store.put("real/a", "x");
    symlinkSync(join(root, "real"), join(root, "alias"));
    expect(Buffer.from((await store.get("alias/a"))!).toString()).toBe("x");
  });

  it("a failed append fails for each of its texts, and the next one starts anew", async () => {
    writeFileSync(join(directory, "plain-file"), "");
    const blocked = new FolderBlobStore(join(directory, "plain-file"));
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((text) => blocked.append("log", text)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    rmSync(join(directory, "plain-file"));
    await blocked.append("log", "d");
    expect(readFileSync(join(directory, "plain-file", "log"), "utf8")).toBe("d");
  });

  it("many parallel durable puts leave every value whole", async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `many/${index % 7}/${index}`);
    await Promise.all(keys.map((key) => store.put(key, key.repeat(100), { durable: true })));
    for (const key of keys) expect(readFileSync(store.locate(key), "utf8")).toBe(key.repeat(100));
  });
});

describe("writeError", () => {
  it.each([
    ["ENOSPC", "store.full"],
    ["EDQUOT", "store.full"],
    ["EACCES", "store.unwritable"],
    ["EPERM", "store.unwritable"],
    ["EROFS", "store.unwritable"],
    ["ENOTDIR", "store.unwritable"],
  ])("%s becomes %s and names the path", (code, expected) => {
    const error = writeError(Object.assign(new Error(code), { code }), "/results/run");
    expect(AgentCompassError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: expected, message: expect.stringContaining("/results/run") });
    expect((error as Error).message).not.toContain("\n");
  });

  it("a file that may not be read is named too", () => {
    expect(readError(Object.assign(new Error("EACCES"), { code: "EACCES" }), "/results/a")).toMatchObject({
      code: "file.unreadable",
      message: expect.stringContaining("/results/a"),
    });
  });

  it("leaves other errors as they are", () => {
    const error = Object.assign(new Error("busy"), { code: "EBUSY" });
    expect(writeError(error, "/x")).toBe(error);
    expect(readError(error, "/x")).toBe(error);
    expect(systemCode("text")).toBeUndefined();
  });
});
