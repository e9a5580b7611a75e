import { randomInt } from "node:crypto";

/** Under whom the commands of a session run; undefined is the user of this process. */
export type SessionUser = { readonly uid: number; readonly gid: number };

/** What systemd sets aside for users that exist only while something runs, inside what rootless containers map. */
const FIRST_UID = 61_184;
const LAST_UID = 65_519;

const taken = new Set<number>();

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * A user of its own for a session when this process may choose one, so that sessions can neither read the caller's
 * files and environment nor reach each other. Undefined when it may not. Give it back with releaseSessionUser.
 */
export function takeSessionUser(): SessionUser | undefined {
  if (!runsAsRoot() || taken.size > LAST_UID - FIRST_UID) return undefined;
  let uid = randomInt(FIRST_UID, LAST_UID + 1);
  while (taken.has(uid)) uid = uid === LAST_UID ? FIRST_UID : uid + 1;
  taken.add(uid);
  return { uid, gid: uid };
}

export function releaseSessionUser(user: SessionUser | undefined): void {
  if (user) taken.delete(user.uid);
}
