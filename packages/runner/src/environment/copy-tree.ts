import { chmod, chown, lstat, mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { makeDirectory } from "@agentcompass/core/port";
import { type BytePath, bytePath, systemPath } from "./byte-path.ts";
import { copyBytes } from "./copy-bytes.ts";
import type { SessionUser } from "./session-user.ts";

export type CopyRules = {
  /** Owner of everything that is made; this process's user when undefined. */
  readonly owner?: SessionUser | undefined;
  /** Leaves out links that point outside of the tree, and keeps what is copied readable to its owner. */
  readonly untrusted: boolean;
};

/**
 * Copies a file or a directory over what is at `to`, with permissions and with links as links; devices, pipes and
 * sockets are left out. Nothing is ever read or written through a link that stands on the side of the session. Names are copied
 * byte by byte, whatever they hold.
 */
export async function copyTree(from: string, to: string, rules: CopyRules): Promise<void> {
  const top = bytePath(from);
  await copyEntry(top, bytePath(to), { ...rules, top });
}

type Copying = CopyRules & { readonly top: BytePath };

async function copyEntry(from: BytePath, to: BytePath, copying: Copying): Promise<void> {
  const entry = await lstat(systemPath(from));
  if (entry.isSymbolicLink()) return await copyLink(from, to, copying);
  if (!entry.isDirectory() && !entry.isFile()) return;
  const here = await lstat(systemPath(to)).catch(() => undefined);
  if (here && !(here.isDirectory() && entry.isDirectory())) await rm(systemPath(to), { recursive: true });
  const atLeast = copying.untrusted ? (entry.isDirectory() ? 0o700 : 0o600) : 0;
  const mode = (entry.mode & 0o777) | atLeast;
  if (entry.isDirectory()) await copyDirectory(from, to, mode, copying);
  else await copyBytes({ from, to, mode, ...copying });
}

async function copyDirectory(from: BytePath, to: BytePath, mode: number, copying: Copying): Promise<void> {
  await makeDirectory(resolve(to), (path) => mkdir(systemPath(path)));
  for (const name of await readdir(systemPath(from), "latin1"))
    await copyEntry(join(from, name), join(to, name), copying);
  await chmod(systemPath(to), mode);
  if (copying.owner) await chown(systemPath(to), copying.owner.uid, copying.owner.gid);
}

async function copyLink(from: BytePath, to: BytePath, copying: Copying): Promise<void> {
  const target = await readlink(systemPath(from), "latin1");
  if (copying.untrusted && !pointsInside(from, target, copying.top)) return;
  await rm(systemPath(to), { recursive: true, force: true });
  await symlink(systemPath(target), systemPath(to));
}

function pointsInside(link: string, target: string, top: string): boolean {
  return !isAbsolute(target) && isInside(resolve(dirname(link), target), top);
}

/** True for `directory` itself and all that lies below it; both absolute. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
}
