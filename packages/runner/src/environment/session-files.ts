import { constants } from "node:fs";
import { chown, type FileHandle, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorText } from "@agentcompass/core";
import { EnvironmentFailure, type EnvironmentSession } from "@agentcompass/core/plugin";
import { makeDirectory } from "@agentcompass/core/port";
import { copyTree, isInside } from "./copy-tree.ts";
import { removeTree, type SessionDirectory } from "./session-directory.ts";
import type { SessionUser } from "./session-user.ts";

type SessionFiles = Pick<EnvironmentSession, "upload" | "download" | "readText" | "writeText" | "remove">;

const DEFAULT_READ_BYTES = 10 * 1024 * 1024;
const PLACE_IS_BROKEN = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE"]);

/**
 * File access of a session, confined to its own directories: a path that leaves them, also through a link that a
 * command has put there, is refused with an Error. EnvironmentFailure says that the disk itself failed.
 */
export function sessionFiles(directory: SessionDirectory, user: SessionUser | undefined): SessionFiles {
  const place = { roots: [directory.root, directory.workdir], workdir: directory.workdir, user };
  return {
    upload: (localPath, remotePath) =>
      guarded(async () => {
        const to = await confine(place, remotePath);
        await makeParents(place, to);
        await copyTree(await realpath(localPath), to, { owner: user, untrusted: false });
      }),
    download: (remotePath, localPath) =>
      guarded(async () => {
        const from = await existing(place, remotePath);
        if (from === undefined) throw new Error(`${remotePath} does not exist in the environment`);
        await makeDirectory(dirname(resolve(localPath)), (path) => mkdir(path));
        await copyTree(from, resolve(localPath), { untrusted: true });
      }),
    readText: (path, maxBytes) => guarded(() => readText(place, path, maxBytes ?? DEFAULT_READ_BYTES)),
    writeText: (path, text) => guarded(() => writeText(place, path, text)),
    remove: (path) =>
      guarded(async () => {
        const target = await confine(place, path);
        if (place.roots.some((root) => isInside(root, target))) throw new Error(`${path} holds the session itself`);
        await removeTree(target);
      }),
  };
}

type Place = {
  readonly roots: readonly string[];
  readonly workdir: string;
  readonly user: SessionUser | undefined;
};

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (PLACE_IS_BROKEN.has(code)) throw new EnvironmentFailure(`host_process: ${errorText(error)}`, { cause: error });
    throw error;
  }
}

/** The path with every link of its parents followed; its last part is as it is. */
async function confine(place: Place, path: string): Promise<string> {
  const wanted = resolve(place.workdir, path);
  const target = place.roots.includes(wanted) ? wanted : join(await realAncestor(dirname(wanted)), basename(wanted));
  requireInside(place, target, path);
  return target;
}

function requireInside(place: Place, target: string, path: string): void {
  if (place.roots.some((root) => isInside(target, root))) return;
  throw new Error(`${path} is outside of the directories of this session (${place.roots.join(", ")})`);
}

async function realAncestor(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(await realAncestor(dirname(path)), basename(path));
  }
}

/** The real path of something that is there; undefined when it is not, or is only a link that leads outside. */
async function existing(place: Place, path: string): Promise<string | undefined> {
  const target = await confine(place, path);
  const real = await realpath(target).catch(() => undefined);
  return real !== undefined && place.roots.some((root) => isInside(real, root)) ? real : undefined;
}

async function makeParents(place: Place, target: string): Promise<void> {
  const parent = dirname(target);
  const firstMade = await makeDirectory(parent, (path) => mkdir(path));
  if (firstMade === undefined || !place.user) return;
  for (let path = parent; isInside(path, firstMade); path = dirname(path)) {
    await chown(path, place.user.uid, place.user.gid);
  }
}

async function readText(place: Place, path: string, maxBytes: number): Promise<string | undefined> {
  const real = await existing(place, path);
  if (real === undefined) return undefined;
  // Without waiting: a command may have put a pipe there that nobody writes to.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return undefined;
    await requireOpenedInside(place, file, path);
    return await readBounded(file, maxBytes);
  } finally {
    await file.close();
  }
}

async function readBounded(file: FileHandle, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for (let length = 0; length < maxBytes; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(65_536, maxBytes - length)));
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function writeText(place: Place, path: string, text: string): Promise<void> {
  const target = (await existing(place, path)) ?? (await confine(place, path));
  await makeParents(place, target);
  const file = await open(target, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await requireOpenedInside(place, file, path);
    await file.truncate(0);
    await file.writeFile(text);
    if (place.user) await file.chown(place.user.uid, place.user.gid);
  } finally {
    await file.close();
  }
}

/** A running command may have swapped a parent for a link since the path was checked; the open file cannot be swapped. */
async function requireOpenedInside(place: Place, file: FileHandle, path: string): Promise<void> {
  if (process.platform === "linux") requireInside(place, await readlink(`/proc/self/fd/${file.fd}`), path);
}
