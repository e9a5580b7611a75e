import { chmod, copyFile, lchown, lstat, mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { makeDirectory } from "@agentcompass/core/port";
import type { SessionUser } from "./session-user.ts";

export type CopyRules = {
  /** Owner of everything that is made; this process's user when undefined. */
  readonly owner?: SessionUser | undefined;
  /** Leaves out links that point outside of the tree, and keeps what is copied readable to its owner. */
  readonly untrusted: boolean;
};

/**
 * Copies a file or a directory over what is at `to`, with permissions and with links as links; devices, pipes and
 * sockets are left out. Nothing is ever written through a link that stands at the destination.
 */
export async function copyTree(from: string, to: string, rules: CopyRules): Promise<void> {
  await copyEntry(from, to, { ...rules, top: from });
}

type Copying = CopyRules & { readonly top: string };

async function copyEntry(from: string, to: string, copying: Copying): Promise<void> {
  const entry = await lstat(from);
  if (entry.isSymbolicLink()) return await copyLink(from, to, copying);
  if (!entry.isDirectory() && !entry.isFile()) return;
  const here = await lstat(to).catch(() => undefined);
  if (here && (here.isDirectory() !== entry.isDirectory() || here.isSymbolicLink())) await rm(to, { recursive: true });
  if (entry.isDirectory()) await copyDirectory(from, to, copying);
  else await copyFile(from, to);
  const atLeast = copying.untrusted ? (entry.isDirectory() ? 0o700 : 0o600) : 0;
  await chmod(to, (entry.mode & 0o777) | atLeast);
  await own(to, copying);
}

async function copyDirectory(from: string, to: string, copying: Copying): Promise<void> {
  await makeDirectory(resolve(to), (path) => mkdir(path));
  for (const name of await readdir(from)) await copyEntry(join(from, name), join(to, name), copying);
}

async function copyLink(from: string, to: string, copying: Copying): Promise<void> {
  const target = await readlink(from);
  if (copying.untrusted && !pointsInside(from, target, copying.top)) return;
  await rm(to, { recursive: true, force: true });
  await symlink(target, to);
  await own(to, copying);
}

function pointsInside(link: string, target: string, top: string): boolean {
  return !isAbsolute(target) && isInside(resolve(dirname(link), target), top);
}

/** True for `directory` itself and all that lies below it; both absolute. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
}

async function own(path: string, { owner }: CopyRules): Promise<void> {
  if (owner) await lchown(path, owner.uid, owner.gid);
}
