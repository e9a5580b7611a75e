import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { AgentCompassError, errorText } from "@agentcompass/core";
import type { LoadAsk } from "@agentcompass/core/plugin";
import { makeDirectory } from "@agentcompass/core/port";
import { z } from "zod";
import { requestArchive } from "./archive-request.ts";
import type { PinnedSource } from "./repository.ts";
import { ArchiveRefusal, unpackArchive } from "./unpack-archive.ts";

/** What an archive was; written into the folder that came of it. */
const ArchiveRecord = z.object({ address: z.string(), checksum: z.string() });
export type ArchiveRecord = z.infer<typeof ArchiveRecord>;

export type PinnedFolder = { readonly path: string; readonly archive: ArchiveRecord | undefined };

export type DownloadLimits = {
  /** Bytes of the archive as it is sent. */
  readonly maxDownloadBytes: number;
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** How long the server may say nothing. */
  readonly silenceMs: number;
};

export const DOWNLOAD_LIMITS: DownloadLimits = {
  maxDownloadBytes: 1024 ** 3,
  maxBytes: 4 * 1024 ** 3,
  maxEntries: 200_000,
  silenceMs: 60_000,
};

const TEMPORARY = ".download-";
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const RECORD = ".agentcompass-archive.json";

type Ask = Pick<LoadAsk, "dataDir" | "log" | "signal">;

/**
 * The folder of a repository at a commit, `<data directory>/harbor/<owner>/<name>/<commit>`: fetched once, whole or not at all, also
 * when several processes want it at once. Throws AgentCompassError `benchmark.data_missing` when it cannot be had and
 * `benchmark.data_invalid` when the archive holds what must not be unpacked.
 */
export async function pinnedFolder(
  source: PinnedSource,
  ask: Ask,
  limits: DownloadLimits = DOWNLOAD_LIMITS,
): Promise<PinnedFolder> {
  const parent = resolve(ask.dataDir, "harbor", ...source.parts);
  const path = join(parent, source.commit);
  if (await isThere(path)) return { path, archive: await readRecord(path) };
  const message = `downloading ${source.archive} to ${path}`;
  ask.log({ level: "INFO", source: "benchmark", message });
  const temporary = join(parent, `${TEMPORARY}${randomUUID()}`);
  try {
    // Only for this user: what the tasks expect is no business of an agent that runs as another one.
    await makeDirectory(parent, (part) => mkdir(part, { mode: 0o700 }));
    await removeAbandoned(parent);
    await mkdir(temporary, { mode: 0o700 });
    const archive = await fetchInto(temporary, source, ask.signal, limits);
    await takePlace(temporary, path);
    return { path, archive };
  } catch (error) {
    ask.signal.throwIfAborted();
    throw failure(source, path, error);
  } finally {
    // What cannot be removed is cleared away a day later; it must not stand for the failure itself.
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function fetchInto(
  folder: string,
  source: PinnedSource,
  signal: AbortSignal,
  limits: DownloadLimits,
): Promise<ArchiveRecord> {
  const answer = await requestArchive(source.archive, limits.silenceMs, signal);
  const hash = createHash("sha256");
  try {
    const measured = Readable.from(measure(answer.body, hash, limits.maxDownloadBytes), { objectMode: false });
    const commit = await unpackArchive(measured, folder, limits);
    if (commit !== undefined && commit !== source.commit)
      throw new ArchiveRefusal(`it is the archive of another commit, ${commit}`);
  } finally {
    await answer.close();
  }
  const record: ArchiveRecord = { address: source.archive, checksum: `sha256:${hash.digest("hex")}` };
  await rm(join(folder, RECORD), { recursive: true, force: true });
  await writeFile(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

async function* measure(body: Readable, hash: ReturnType<typeof createHash>, maxBytes: number) {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ArchiveRefusal(`it is larger than ${maxBytes} bytes`);
    hash.update(chunk);
    yield chunk;
  }
}

/** What killed downloads left: nothing that is still fetched stays untouched for a day. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of (await readdir(parent)).filter((entry) => entry.startsWith(TEMPORARY))) {
    const path = join(parent, name);
    const changed = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    // Another process may clear it away at this moment.
    if (Date.now() - changed > ABANDONED_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Another process may have been faster; its folder is of the same commit. */
async function takePlace(temporary: string, path: string): Promise<void> {
  try {
    await rename(temporary, path);
  } catch (error) {
    if (!(await isThere(path))) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** Undefined for a folder that was put there by hand. */
async function readRecord(path: string): Promise<ArchiveRecord | undefined> {
  try {
    return ArchiveRecord.parse(JSON.parse(await readFile(join(path, RECORD), "utf8")));
  } catch {
    return undefined;
  }
}

function failure(source: PinnedSource, path: string, error: unknown): AgentCompassError {
  if (error instanceof ArchiveRefusal)
    return new AgentCompassError(
      "benchmark.data_invalid",
      `${source.archive} was not unpacked: ${error.message}; check the repository, or put its folder at ${path} yourself`,
      { cause: error },
    );
  if (isOfDisk(error))
    return new AgentCompassError(
      "benchmark.data_missing",
      `${source.archive} could not be unpacked to ${path}: ${reasonOf(error)}; make room or a folder that can be written there, or set data_dir to another place`,
      { cause: error },
    );
  return new AgentCompassError(
    "benchmark.data_missing",
    `there is no folder ${path}, and ${source.archive} could not be downloaded: ${reasonOf(error)}; check repository and commit, set HTTPS_PROXY if this machine needs a proxy, or put that commit's files at ${path} yourself`,
    { cause: error },
  );
}

const DISK_CODES = new Set(["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "EIO"]);

/** The network has codes of its own. */
function isOfDisk(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return DISK_CODES.has(code ?? "") && syscall !== "connect";
}

function reasonOf(error: unknown): string {
  return errorText(error).replaceAll(/\s+/g, " ");
}
