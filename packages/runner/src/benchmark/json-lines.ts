import { readFile } from "node:fs/promises";
import { AgentCompassError, errorText, sha256 } from "@agentcompass/core";

/** One line that is not blank. `where` is `file:line`, for messages. */
export type JsonLine = { readonly line: number; readonly where: string; readonly value: unknown };

export type JsonLines = { readonly lines: readonly JsonLine[]; readonly checksum: string };

/**
 * Reads a file of one JSON value a line: UTF-8 with or without a byte order mark, either line ending, blank lines skipped.
 * `absent` words the error for a file that is not there.
 */
export async function readJsonLines(path: string, absent: () => AgentCompassError): Promise<JsonLines> {
  const bytes = await readBytes(path, absent);
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
  return { lines, checksum: `sha256:${sha256(bytes)}` };
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
