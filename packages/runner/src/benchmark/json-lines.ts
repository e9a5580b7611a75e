import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { AgentCompassError, errorText, sha256 } from "@agentcompass/core";

/** One line that is not blank. `where` is `file:line`, for messages. */
export type JsonLine = { readonly line: number; readonly where: string; readonly value: unknown };

export type JsonLines = {
  readonly lines: readonly JsonLine[];
  /** `sha256:<hex>` of the file's bytes. */
  readonly checksum: string;
  /** The same of its text: equal to `checksum` unless the file is compressed. */
  readonly contentChecksum: string;
};

/** Far more than any task file holds; a small archive may unpack to anything. */
const MAX_UNPACKED_BYTES = 1024 ** 3;

/**
 * Reads a file of one JSON value a line: UTF-8 with or without a byte order mark, either line ending, blank lines skipped;
 * gzip is unpacked, whatever the name. `absent` words the error for a file that is not there.
 */
export async function readJsonLines(path: string, absent: () => AgentCompassError): Promise<JsonLines> {
  const stored = await readBytes(path, absent);
  const bytes = unpack(path, stored);
  const lines: JsonLine[] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const where = `${path}:${line}`;
    const text = decode(where, bytes.subarray(start, end));
    if (text.trim() !== "") lines.push({ line, where, value: parse(where, text) });
    start = end + 1;
  }
  return { lines, checksum: `sha256:${sha256(stored)}`, contentChecksum: `sha256:${sha256(bytes)}` };
}

function unpack(path: string, bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw new AgentCompassError("benchmark.data_invalid", `${path}: not whole gzip data: ${errorText(error)}`);
  }
}

async function readBytes(path: string, absent: () => AgentCompassError): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") throw absent();
    if (code === "EISDIR") throw new AgentCompassError("file.unreadable", `${path}: this is a folder, not a file`);
    throw new AgentCompassError("file.unreadable", `${path}: cannot be read: ${errorText(error)}`, { cause: error });
  }
}

function decode(where: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AgentCompassError("benchmark.data_invalid", `${where}: not UTF-8; save the file as UTF-8`);
  }
}

function parse(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = errorText(error).replaceAll(/\s+/g, " ");
    throw new AgentCompassError("benchmark.data_invalid", `${where}: not JSON: ${reason}`);
  }
}
