import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  open,
  readFile,
  readFileSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

let sequence = 0;

/** Temporary files carry this mark and are no keys. */
export const TEMPORARY_MARK = ".agentcompass-tmp";

/**
 * Up to here a value is written synchronously: into the system's memory that takes microseconds, less than handing it to another
 * thread. What may wait for the disk, as making a name does while others sync, never is.
 */
const SMALL_LENGTH = 256 * 1024;

const PART_LENGTH = 1024 * 1024;

/** Waits until what is written, or the names in a directory, are on the disk. */
export const syncFile: (descriptor: number) => Promise<void> = promisify(fsync);
const syncBytes: (descriptor: number) => Promise<void> = promisify(fdatasync);
const writeLarge = promisify(write);
const readLarge: (descriptor: number) => Promise<Buffer> = promisify(readFile);
const openFile: (path: string, flags: string | number, mode: number) => Promise<number> = promisify(open);

/**
 * Replaces a file as a whole: a reader sees the old or the new one. A failure leaves the old one and no
 * temporary file. With `durable` the bytes are on the disk before the name points at them.
 */
export async function writeWhole(path: string, value: string | Uint8Array, durable: boolean): Promise<void> {
  await replace(path, async (temporary) => {
    const descriptor = await openFile(temporary, "wx", 0o666);
    try {
      if (value.length <= SMALL_LENGTH) writeSmall(descriptor, typeof value === "string" ? Buffer.from(value) : value);
      else for (const part of partsOf(value)) await writePart(descriptor, part);
      if (durable) await syncBytes(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** The bytes of a file; the path may not be a link. */
export async function readWhole(path: string): Promise<Uint8Array> {
  const descriptor = await openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0);
  try {
    // Opening waited for the disk where that was needed; thousands of small files are read in half the time in this way.
    return fstatSync(descriptor).size <= SMALL_LENGTH ? readFileSync(descriptor) : await readLarge(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Copies a file as a whole. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await replace(to, (temporary) => copyFile(from, temporary));
}

export function isTemporary(name: string): boolean {
  return name.endsWith(TEMPORARY_MARK);
}

/** A long text is never in memory a second time as bytes. A pair of surrogates is not cut in two. */
function* partsOf(value: string | Uint8Array): Generator<Uint8Array> {
  if (typeof value !== "string") {
    yield value;
    return;
  }
  for (let start = 0; start < value.length; ) {
    const end = start + PART_LENGTH;
    const isCut = /[\ud800-\udbff]/.test(value.charAt(end - 1));
    const part = value.slice(start, isCut ? end + 1 : end);
    start += part.length;
    yield Buffer.from(part);
  }
}

async function writePart(descriptor: number, part: Uint8Array): Promise<void> {
  for (let at = 0; at < part.length; ) at += (await writeLarge(descriptor, part, at)).bytesWritten;
}

function writeSmall(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

async function replace(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
  sequence += 1;
  // A long name is cut, so that the mark does not push it over the file system's 255 bytes.
  const stem = Buffer.from(basename(path))
    .subarray(0, 150)
    .toString("latin1")
    .replace(/[^\w.-]/g, "_");
  const temporary = join(dirname(path), `.${stem}.${process.pid}-${sequence}${TEMPORARY_MARK}`);
  try {
    await make(temporary);
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** What is said is why the write failed, not why what was left of it stays. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It carries the mark of a temporary file: nothing takes it for a value.
  }
}
