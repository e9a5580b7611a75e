import type { FileHandle } from "node:fs/promises";
import { copyFile, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

let sequence = 0;

/** Temporary files carry this mark and are no keys. */
export const TEMPORARY_MARK = ".agentcompass-tmp";

/**
 * Replaces a file as a whole: a reader sees the old or the new one. A failure leaves the old one and no
 * temporary file. With `durable` the bytes are on the disk before the name points at them.
 */
export async function writeWhole(path: string, value: string | Uint8Array, durable: boolean): Promise<void> {
  await replace(path, async (temporary) => {
    const handle = await open(temporary, "wx", 0o666);
    try {
      await writeAll(handle, value, durable);
    } finally {
      await handle.close();
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

async function writeAll(handle: FileHandle, value: string | Uint8Array, durable: boolean): Promise<void> {
  await handle.writeFile(value);
  if (durable) await handle.datasync();
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
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
