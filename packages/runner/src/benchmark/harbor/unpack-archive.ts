import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Extract, extract } from "tar-stream";
import { isWithinTree } from "./repository.ts";
import { TarWatch } from "./tar-watch.ts";

export type ArchiveLimits = {
  /** Bytes of the tar stream, after decompression. */
  readonly maxBytes: number;
  readonly maxEntries: number;
};

const LONGEST_PATH = 4096;

/** What an archive holds is not what may be unpacked; the message says what and where. */
export class ArchiveRefusal extends Error {
  override readonly name = "ArchiveRefusal";
}

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never;
type Kind = "directory" | "file" | "link";
type Unpacking = { readonly folder: string; readonly limits: ArchiveLimits; readonly made: Map<string, Kind> };

/**
 * Unpacks a .tar.gz with one top folder, as git hosts make them, into an empty folder, without that top folder. Nothing is written
 * outside of the folder and no link leads out of it; execute permission is kept, other modes and owners are not. Returns the commit
 * that git noted in the archive. Throws ArchiveRefusal for hostile or too large content, and an Error for a broken or cut stream.
 */
export async function unpackArchive(
  source: Readable,
  folder: string,
  limits: ArchiveLimits,
): Promise<string | undefined> {
  const watch = new TarWatch();
  const entries = extract();
  const reading = pipeline(
    source,
    createGunzip(),
    (bytes: AsyncIterable<Buffer>) => watched(bytes, watch, limits),
    entries,
  );
  const writing = unpackEntries(entries, { folder, limits, made: new Map() });
  const [read, written] = await Promise.allSettled([reading, writing]);
  const reasons = [written, read].filter(isRejected).map(({ reason }): unknown => reason);
  // When one side fails the other one only says that it was closed.
  if (reasons.length > 0) throw reasons.find((reason) => !isClosedEarly(reason)) ?? reasons[0];
  if (!watch.hasEnd) throw new Error("the archive ends before its end mark");
  return watch.commit();
}

function isRejected(result: PromiseSettledResult<void>): result is PromiseRejectedResult {
  return result.status === "rejected";
}

function isClosedEarly(reason: unknown): boolean {
  return reason instanceof Error && "code" in reason && reason.code === "ERR_STREAM_PREMATURE_CLOSE";
}

async function* watched(bytes: AsyncIterable<Buffer>, watch: TarWatch, { maxBytes }: ArchiveLimits) {
  for await (const chunk of bytes) {
    watch.push(chunk);
    if (watch.bytes > maxBytes) throw new ArchiveRefusal(`it unpacks to more than ${maxBytes} bytes`);
    yield chunk;
  }
}

async function unpackEntries(entries: AsyncIterable<Entry>, unpacking: Unpacking): Promise<void> {
  let top: string | undefined;
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > unpacking.limits.maxEntries) throw tooMany(unpacking);
    const [first, ...parts] = partsOf(entry.header.name);
    top ??= first;
    if (first !== top) throw new ArchiveRefusal(`'${entry.header.name}' lies outside of its top folder '${top}'`);
    await unpackEntry(entry, parts, unpacking, top ?? "");
  }
  if (unpacking.made.size === 0) throw new ArchiveRefusal("it holds nothing");
}

function tooMany({ limits }: Unpacking): ArchiveRefusal {
  return new ArchiveRefusal(`it holds more than ${limits.maxEntries} entries`);
}

function partsOf(name: string): readonly string[] {
  if (name.length > LONGEST_PATH) throw new ArchiveRefusal(`'${name.slice(0, 60)}...' is longer than a path may be`);
  if (!isWithinTree(name)) throw new ArchiveRefusal(`'${name}' leads out of the archive`);
  return name.split("/").filter((part) => part !== "" && part !== ".");
}

async function unpackEntry(entry: Entry, parts: readonly string[], unpacking: Unpacking, top: string): Promise<void> {
  const { header } = entry;
  const path = parts.join("/");
  const kind = kindOf(entry, path);
  if (kind !== "directory" || path !== "") await claim(path, kind, unpacking);
  const target = join(unpacking.folder, path);
  if (header.type === "symlink") await symlink(innerTarget(path, header.linkname ?? ""), target);
  else if (header.type === "link") await link(hardLinkSource(header.linkname ?? "", path, unpacking, top), target);
  else if (kind === "file") {
    // Its types leave out that it can be iterated.
    const bytes = entry as unknown as AsyncIterable<Uint8Array>;
    return await writeFile(target, bytes, { flag: "wx", mode: header.mode & 0o111 ? 0o755 : 0o644 });
  }
  entry.resume();
}

function kindOf({ header }: Entry, path: string): Kind {
  if (header.type === "directory") return "directory";
  if (path === "")
    throw new ArchiveRefusal(`'${header.name}' is no folder; the archive of a commit has one top folder`);
  if (header.type === "symlink") return "link";
  if (header.type === "file" || header.type === "contiguous-file" || header.type === "link") return "file";
  throw new ArchiveRefusal(`'${header.name}' is a ${header.type}, which no git repository holds`);
}

/** Makes the parents, as real directories, and takes the name; each name is there once. */
async function claim(path: string, kind: Kind, unpacking: Unpacking): Promise<void> {
  const parent = posix.dirname(path);
  if (parent !== ".") await claim(parent, "directory", unpacking);
  const before = unpacking.made.get(path);
  if (before === "directory" && kind === "directory") return;
  if (before !== undefined)
    throw new ArchiveRefusal(`'${path}' is there twice, or lies below something that is no folder`);
  // Folders that only paths name count too: one path may name thousands.
  if (unpacking.made.size === unpacking.limits.maxEntries) throw tooMany(unpacking);
  unpacking.made.set(path, kind);
  if (kind === "directory") await mkdir(join(unpacking.folder, path));
}

/**
 * The target of a link that stays in the tree. Going up is allowed at the start alone: behind another link the way up would lead
 * elsewhere than the text says.
 */
function innerTarget(path: string, target: string): string {
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const down = parts.findIndex((part) => part !== "..");
  const goesUpLater = down >= 0 && parts.lastIndexOf("..") > down;
  const inner = posix.join(posix.dirname(path), target);
  if (target !== "" && !posix.isAbsolute(target) && !goesUpLater && isWithinTree(inner)) return target;
  throw new ArchiveRefusal(`the link '${path}' leads to '${target}', out of the archive`);
}

function hardLinkSource(name: string, path: string, unpacking: Unpacking, top: string): string {
  const [first, ...parts] = partsOf(name);
  const source = parts.join("/");
  if (first === top && source !== path && unpacking.made.get(source) === "file") return join(unpacking.folder, source);
  throw new ArchiveRefusal(`the hard link '${path}' leads to '${name}', which is no file before it in the archive`);
}
