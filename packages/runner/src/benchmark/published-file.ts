import { randomUUID } from "node:crypto";
import { access, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AgentCompassError, errorText, sha256 } from "@agentcompass/core";
import type { LoadAsk } from "@agentcompass/core/plugin";
import { makeDirectory } from "@agentcompass/core/port";

/** Where a data file is published, and what it must be. */
export type PublishedFile = {
  readonly address: string;
  /** Lower-case hexadecimal SHA-256. */
  readonly sha256: string;
  readonly bytes: number;
};

const DOWNLOAD_TIMEOUT_MS = 60_000;

/**
 * Fetches the file into its place, whole or not at all; says address and size first. Throws AgentCompassError
 * `benchmark.data_missing` when it cannot be had or is not the expected one.
 */
export async function download(file: PublishedFile, path: string, ask: Pick<LoadAsk, "log" | "signal">): Promise<void> {
  ask.log({
    level: "INFO",
    source: "benchmark",
    message: `downloading ${file.address} (${file.bytes} bytes) to ${path}`,
  });
  try {
    const bytes = await fetchBytes(file, ask.signal);
    await writeWhole(path, bytes);
  } catch (error) {
    ask.signal.throwIfAborted();
    throw new AgentCompassError(
      "benchmark.data_missing",
      `there is no file ${path}, and it could not be downloaded from ${file.address}: ${reason(error)}; get that file by other means and place it there, or give another data directory (--data-dir)`,
      { cause: error },
    );
  }
}

async function fetchBytes(file: PublishedFile, signal: AbortSignal): Promise<Buffer> {
  const timeout = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const response = await fetch(file.address, { signal: AbortSignal.any([signal, timeout]) });
  if (!response.ok || !response.body) throw new Error(`the server answered with status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > file.bytes) throw new Error(`it is larger than the expected ${file.bytes} bytes`);
  }
  const bytes = Buffer.concat(chunks);
  const checksum = sha256(bytes);
  if (checksum !== file.sha256) throw new Error(`its SHA-256 is ${checksum}, not the expected ${file.sha256}`);
  return bytes;
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await makeDirectory(resolve(dirname(path)), (part) => mkdir(part));
  const temporary = join(dirname(path), `.download-${randomUUID()}`);
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** fetch hides the reason ("connect ECONNREFUSED ...") in the cause. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorText(cause).replaceAll(/\s+/g, " ");
}

/** False when there is nothing at the path; a file that is there but closed to us is for the reader to report. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"));
  }
}
