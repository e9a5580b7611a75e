import { execFile } from "node:child_process";
import { chmod, chown, lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { makeDirectory } from "@agentcompass/core/port";
import { type BytePath, bytePath, systemPath } from "./byte-path.ts";
import type { SessionUser } from "./session-user.ts";

/** The places of one session. All but a given workdir lie in one private directory that goes with the session. */
export type SessionDirectory = {
  readonly root: string;
  readonly workdir: string;
  readonly scratch: string;
  readonly home: string;
  readonly temporary: string;
  /** Scripts of commands too long for an argument list. */
  readonly scripts: string;
};

/**
 * Makes the directories of a session: owned by its user, in a parent that only this user may pass and that it cannot
 * take away. A given workdir is made when absent and otherwise left as it is.
 */
export async function createSessionDirectory(
  root: string,
  givenWorkdir: string | undefined,
  user: SessionUser | undefined,
): Promise<SessionDirectory> {
  await mkdir(root, { mode: 0o700 });
  try {
    return await fillRoot(root, givenWorkdir, user);
  } catch (error) {
    await removeTree(root);
    throw error;
  }
}

async function fillRoot(
  root: string,
  givenWorkdir: string | undefined,
  user: SessionUser | undefined,
): Promise<SessionDirectory> {
  if (user) await chown(root, process.getuid?.() ?? 0, user.gid);
  await chmod(root, user ? 0o710 : 0o700);
  const make = async (name: string): Promise<string> => {
    const path = join(root, name);
    await mkdir(path, { mode: 0o700 });
    if (user) await chown(path, user.uid, user.gid);
    return path;
  };
  return {
    root,
    workdir: givenWorkdir === undefined ? await make("work") : await useWorkdir(givenWorkdir, user),
    scratch: await make("scratch"),
    home: await make("home"),
    temporary: await make("tmp"),
    scripts: await make("scripts"),
  };
}

async function useWorkdir(given: string, user: SessionUser | undefined): Promise<string> {
  const path = resolve(given);
  const firstMade = await makeDirectory(path, (part) => mkdir(part));
  if (user && firstMade !== undefined) await chown(path, user.uid, user.gid);
  return await realpath(path);
}

/** Removes a tree even where its own permissions forbid that to this user, or where its paths are longer than the system takes. */
export async function removeTree(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  await remove()
    .catch(async () => {
      await openUp(bytePath(path));
      await remove();
    })
    // rm goes down folder by folder, so that no path is too long for it.
    .catch(() => run("rm", ["-rf", "--", path]));
}

const run = promisify(execFile);

async function openUp(path: BytePath): Promise<void> {
  const entry = await lstat(systemPath(path)).catch(() => undefined);
  if (!entry?.isDirectory()) return;
  await chmod(systemPath(path), 0o700);
  for (const name of await readdir(systemPath(path), "latin1")) await openUp(join(path, name));
}
