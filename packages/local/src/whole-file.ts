import { closeSync, fdatasync, fsync, openSync, renameSync, rmSync, write, writeSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

let sequence = 0;

/** Temporary files carry this mark and are no keys. */
export const TEMPORARY_MARK = ".agentcompass-tmp";

/**
 * Up to here a value is written synchronously: into the system's memory that takes microseconds, less than handing it to another
 * thread. What waits for the disk never is.
 */
const SMALL_BYTES = 256 * 1024;

/** Waits until what is written, or the names in a directory, are on the disk. */
export const syncFile: (descriptor: number) => Promise<void> = promisify(fsync);
const syncBytes: (descriptor: number) => Promise<void> = promisify(fdatasync);
const writeLarge = promisify(write);

/**
 * Replaces a file as a whole: a reader sees the old or the new one. A failure leaves the old one and no
 * temporary file. With `durable` the bytes are on the disk before the name points at them.
 */
export async function writeWhole(path: string, value: string | Uint8Array, durable: boolean): Promise<void> {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  await replace(path, async (temporary) => {
    const descriptor = openSync(temporary, "wx", 0o666);
    try {
      if (bytes.length <= SMALL_BYTES) writeSmall(descriptor, bytes);
      else for (let at = 0; at < bytes.length; ) at += (await writeLarge(descriptor, bytes, at)).bytesWritten;
      if (durable) await syncBytes(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Copies a file as a whole. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await replace(to, (temporary) => copyFile(from, temporary));
}

export function isTemporary(name: string): boolean {
  return name.endsWith(TEMPORARY_MARK);
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
