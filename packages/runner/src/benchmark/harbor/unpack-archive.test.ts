import { mkdir, readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ArchiveEntry, tarGz } from "../../../testing/archive-server.ts";
import { temporaryFolder } from "../../../testing/asks.ts";
import { unpackArchive } from "./unpack-archive.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const LIMITS = { maxBytes: 1024 * 1024, maxEntries: 20 };
const bytesOf = (archive: Buffer): Readable => Readable.from([archive.subarray(0, 700), archive.subarray(700)]);

async function unpacked(folder: string, entries: readonly ArchiveEntry[], limits = LIMITS): Promise<unknown> {
  return await unpackArchive(bytesOf(await tarGz(entries)), folder, limits);
}

describe("unpackArchive", () => {
  it("unpacks files, folders, links and long names without the top folder, and tells the commit", async () => {
    await using folder = await temporaryFolder();
    const long = `top/${"d".repeat(120)}/${"e".repeat(150)}/${"模".repeat(60)}.txt`;
    const archive = await tarGz(
      [
        { name: "top/", type: "directory" },
        { name: "top/run.sh", content: "#!/bin/sh\n", mode: 0o775 },
        { name: "top/sub/data.bin", content: Buffer.alloc(5000, 7), mode: 0o6644 },
        { name: "top/sub/link", type: "symlink", linkname: "../run.sh" },
        { name: "top/hard", type: "link", linkname: "top/run.sh" },
        { name: "top/empty/", type: "directory" },
        { name: "top/none", content: "" },
        { name: long, content: "long" },
      ],
      COMMIT,
    );
    expect(await unpackArchive(bytesOf(archive), folder.path, LIMITS)).toBe(COMMIT);
    expect((await readdir(folder.path)).sort()).toEqual(["d".repeat(120), "empty", "hard", "none", "run.sh", "sub"]);
    const mode = async (name: string) => (await stat(join(folder.path, name))).mode & 0o7777;
    expect([await mode("run.sh"), await mode("sub/data.bin")]).toEqual([0o755, 0o644]);
    expect(await readFile(join(folder.path, "hard"), "utf8")).toBe("#!/bin/sh\n");
    expect(await readlink(join(folder.path, "sub/link"))).toBe("../run.sh");
    expect(await readFile(join(folder.path, long.slice(4)), "utf8")).toBe("long");
    expect((await stat(join(folder.path, "sub/data.bin"))).size).toBe(5000);
  });

  it.each<{ case: string; entries: ArchiveEntry[]; says: string }>([
    { case: "a way up", entries: [{ name: "top/../../evil", content: "x" }], says: "leads out" },
    { case: "an absolute path", entries: [{ name: "/top/evil", content: "x" }], says: "leads out" },
    {
      case: "a second top folder",
      entries: [
        { name: "top/a", content: "x" },
        { name: "other/b", content: "x" },
      ],
      says: "outside of its top folder 'top'",
    },
    { case: "a file without a folder", entries: [{ name: "file", content: "x" }], says: "is no folder" },
    {
      case: "an absolute link",
      entries: [{ name: "top/l", type: "symlink", linkname: "/etc/passwd" }],
      says: "out of",
    },
    { case: "a link up", entries: [{ name: "top/l", type: "symlink", linkname: "../x" }], says: "out of the archive" },
    {
      case: "a link that goes up behind another link",
      entries: [
        { name: "top/a/b/up", type: "symlink", linkname: "../.." },
        { name: "top/a/b/out", type: "symlink", linkname: "up/../x" },
      ],
      says: "'up/../x'",
    },
    { case: "an empty link", entries: [{ name: "top/l", type: "symlink", linkname: "" }], says: "out of the archive" },
    {
      case: "a file below a link",
      entries: [
        { name: "top/real/", type: "directory" },
        { name: "top/l", type: "symlink", linkname: "real" },
        { name: "top/l/evil", content: "x" },
      ],
      says: "'l' is there twice, or lies below",
    },
    {
      case: "a file in the place of a link",
      entries: [
        { name: "top/l", type: "symlink", linkname: "target" },
        { name: "top/l", content: "x" },
      ],
      says: "there twice",
    },
    { case: "a hard link out", entries: [{ name: "top/h", type: "link", linkname: "/etc/passwd" }], says: "leads out" },
    {
      case: "a hard link to a link",
      entries: [
        { name: "top/l", type: "symlink", linkname: "x" },
        { name: "top/h", type: "link", linkname: "top/l" },
      ],
      says: "no file before it",
    },
    { case: "a device", entries: [{ name: "top/d", type: "character-device", devmajor: 1 }], says: "character-device" },
    { case: "a pipe", entries: [{ name: "top/p", type: "fifo" }], says: "fifo" },
    { case: "nothing", entries: [], says: "holds nothing" },
    { case: "a path without end", entries: [{ name: `top/${"d/".repeat(3000)}f`, content: "" }], says: "longer than" },
    {
      case: "too many entries",
      entries: Array.from({ length: 21 }, (_, index) => ({ name: `top/${index}`, content: "" })),
      says: "more than 20 entries",
    },
    {
      case: "too many folders that only a path names",
      entries: [{ name: `top/${"d/".repeat(20)}f`, content: "" }],
      says: "more than 20 entries",
    },
    {
      case: "too much when it is unpacked",
      entries: [{ name: "top/zeros", content: Buffer.alloc(2 * 1024 * 1024) }],
      says: "more than 1048576 bytes",
    },
  ])("refuses $case, and writes nothing outside", async ({ entries, says }) => {
    await using folder = await temporaryFolder();
    const inner = join(folder.path, "in");
    await mkdir(inner);
    await expect(unpacked(inner, entries)).rejects.toMatchObject({
      name: "ArchiveRefusal",
      message: expect.stringContaining(says),
    });
    expect(await readdir(folder.path)).toEqual(["in"]);
  });

  it("never takes a cut stream for whole, wherever it is cut", async () => {
    const whole = await tarGz([
      { name: "top/a", content: "a".repeat(3000) },
      { name: "top/b", content: "b".repeat(3000) },
    ]);
    for (const length of [0, 1, 10, 40, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1]) {
      await using folder = await temporaryFolder();
      await expect(unpackArchive(bytesOf(whole.subarray(0, length)), folder.path, LIMITS)).rejects.toThrow();
    }
  });

  it("never takes a tar without its end mark for whole", async () => {
    await using folder = await temporaryFolder();
    const tar = gunzipSync(await tarGz([{ name: "top/a", content: "a".repeat(512) }]));
    const cut = gzipSync(tar.subarray(0, 1024));
    await expect(unpackArchive(bytesOf(cut), folder.path, LIMITS)).rejects.toThrow("end mark");
  });

  it("refuses what is no archive", async () => {
    await using folder = await temporaryFolder();
    await expect(unpackArchive(Readable.from([Buffer.from("<html>")]), folder.path, LIMITS)).rejects.toThrow();
    const noTar = gzipSync(Buffer.alloc(4096, "x"));
    await expect(unpackArchive(bytesOf(noTar), folder.path, LIMITS)).rejects.toThrow();
  });
});
