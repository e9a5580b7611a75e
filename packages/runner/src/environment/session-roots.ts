import { realpathSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The private directory of a session on this machine. */
export type SessionRoot = {
  readonly path: string;
  /** Group of the directory: the number of the session's own user, where it has one. */
  readonly gid: number;
};

const LONGEST_LABEL = 40;
const NAME = /^agentcompass-.*-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Where the private directories of sessions are made. */
export function sessionsDirectory(): string {
  return realpathSync(tmpdir());
}

/** A path that nobody else has, for the private directory of a session; nothing is made yet. */
export function sessionRootPath(label: string, id: string): string {
  return join(sessionsDirectory(), `agentcompass-${label.slice(0, LONGEST_LABEL)}-${id}`);
}

/** The private directories that this process's user has made and that are still there, whoever uses them. */
export async function listSessionRoots(directory: string): Promise<readonly SessionRoot[]> {
  const names = (await readdir(directory).catch((): string[] => [])).filter((name) => NAME.test(name));
  const found = await Promise.all(names.map((name) => sessionRoot(join(directory, name))));
  return found.filter((root) => root !== undefined);
}

async function sessionRoot(path: string): Promise<SessionRoot | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  return entry?.isDirectory() && entry.uid === process.getuid?.() ? { path, gid: entry.gid } : undefined;
}
