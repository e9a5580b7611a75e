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

export function isSessionUser(uid: number): boolean {
  return uid >= FIRST_UID && uid <= LAST_UID;
}

/**
 * A user of its own for a session when this process may choose one, so that sessions can neither read the caller's
 * files and environment nor reach each other; none of those that `elsewhere` names. Undefined when it may not; throws an
 * Error when all are taken. Give it back with releaseSessionUser.
 */
export function takeSessionUser(elsewhere: ReadonlySet<number>): SessionUser | undefined {
  if (!runsAsRoot()) return undefined;
  const count = LAST_UID - FIRST_UID + 1;
  const start = randomInt(count);
  for (let step = 0; step < count; step += 1) {
    const uid = FIRST_UID + ((start + step) % count);
    if (taken.has(uid) || elsewhere.has(uid)) continue;
    taken.add(uid);
    return { uid, gid: uid };
  }
  throw new Error(`all ${count} users of sessions are taken; remove the directories of kept environments`);
}

export function releaseSessionUser(user: SessionUser | undefined): void {
  if (user) taken.delete(user.uid);
}
