import { readFileSync } from "node:fs";
import { AgentCompassError, errorText, sha256 } from "@agentcompass/core";

/** A component file as it was read and run. */
export type ImportedFile = { readonly checksum: string; readonly exported: unknown };

export type ImportAsk = {
  /** Absolute path. */
  readonly path: string;
  /** Who named the file, for errors. */
  readonly where: string;
  /** What `agentcompass` is for the file: this program's own functions, not a second copy. */
  readonly api: object;
};

/** Checksums of what this process has run: a module is run once, whatever becomes of its file. */
const loaded = new Map<string, string>();

/**
 * Runs one file, TypeScript or JavaScript, and gives its default export. Throws AgentCompassError `file.unreadable` or
 * `component.invalid` in one line, with line and column of a syntax error.
 */
export async function importComponentFile(ask: ImportAsk): Promise<ImportedFile> {
  const checksum = `sha256:${sha256(readBytes(ask))}`;
  const before = loaded.get(ask.path);
  if (before !== undefined && before !== checksum)
    throw invalid(ask, "changed after this process had loaded it; start a new one");
  const module = await runModule(ask);
  loaded.set(ask.path, checksum);
  if (typeof module !== "object" || module === null || !("default" in module) || module.default === undefined)
    throw invalid(
      ask,
      "has no default export; end it with `export default defineBenchmark({ ... })` or another define function",
    );
  return { checksum, exported: module.default };
}

function readBytes({ path, where }: ImportAsk): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: "there is no such file",
      EISDIR: "it is a directory; name each file in it",
      EACCES: "it may not be read (permission denied)",
    };
    const reason = (code && reasons[code]) || errorText(error);
    throw new AgentCompassError("file.unreadable", `${where}: component file ${path} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

async function runModule(ask: ImportAsk): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    interopDefault: false,
    virtualModules: { agentcompass: ask.api },
  });
  try {
    return await jiti.import(ask.path);
  } catch (error) {
    throw invalid(ask, reasonOf(error, ask.path), error);
  }
}

/** One line for whatever a file can fail with: its syntax, an import, or its own top level. */
function reasonOf(error: unknown, path: string): string {
  const text = errorText(error);
  const syntax = /^ParseError:\s*([\s\S]*?)\s*(\S+:\d+):(\d+)\s*$/.exec(text);
  // The parser counts columns from 0, editors from 1.
  if (syntax) return `syntax error at ${syntax[2]}:${Number(syntax[3]) + 1}: ${(syntax[1] ?? "").trim()}`;
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(text)?.[1];
  if (missing === "zod")
    return "imports 'zod', which is not installed beside it; import { z } from \"agentcompass\" instead";
  if (missing !== undefined) return `imports '${missing}', which cannot be found from it; install it beside the file`;
  const line = placeOf(error, path);
  return `failed while it was loaded${line ? ` at ${line}` : ""}: ${text.split(/\r?\n/, 1)[0] ?? ""}`;
}

/** The place in the file itself that an error of its top level came from. */
function placeOf(error: unknown, path: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const at = stack.indexOf(`${path}:`);
  return at < 0 ? undefined : /^\S*?:\d+:\d+/.exec(stack.slice(at))?.[0];
}

function invalid({ path, where }: ImportAsk, reason: string, cause?: unknown): AgentCompassError {
  return new AgentCompassError("component.invalid", `${where}: component file ${path} ${reason}`, {
    data: { path },
    ...(cause !== undefined && { cause }),
  });
}
