import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute } from "node:path";
import type { SessionDirectory } from "./session-directory.ts";
import type { SessionUser } from "./session-user.ts";

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What commands need to work, pointing into the session; nothing of the caller but PATH. */
export function cleanEnvironment(directory: SessionDirectory, user: SessionUser | undefined): Record<string, string> {
  return {
    PATH: commandPath(user),
    HOME: directory.home,
    TMPDIR: directory.temporary,
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    TERM: "dumb",
    SHELL: "/bin/sh",
    USER: "agent",
    LOGNAME: "agent",
  };
}

/**
 * The caller's search path, and where this node is, so that commands find the same programs as the caller; without
 * places that the commands' user may not enter, in which a search would end with "permission denied".
 */
function commandPath(user: SessionUser | undefined): string {
  const entries = (process.env["PATH"] || SYSTEM_PATH).split(delimiter).filter(isAbsolute);
  const all = [...new Set([...entries, dirname(process.execPath)])];
  const open = all.filter(user ? isOpenToEveryone : isOpen);
  return open.length === 0 ? SYSTEM_PATH : open.join(delimiter);
}

function isOpen(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isOpenToEveryone(path: string): boolean {
  const lets = ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0;
  return lets && (path === dirname(path) || isOpenToEveryone(dirname(path)));
}
