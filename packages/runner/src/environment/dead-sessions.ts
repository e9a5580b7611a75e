import { errorText } from "@agentcompass/core";
import type { Log } from "@agentcompass/core/port";
import { endProcesses, SESSION_VARIABLE } from "./process-tree.ts";
import { removeTree } from "./session-directory.ts";
import { isOwnerDead, readOwner } from "./session-owner.ts";
import { listSessionRoots, type SessionRoot } from "./session-roots.ts";
import { isSessionUser } from "./session-user.ts";

let swept: Promise<void> | undefined;

/** Once in the life of this process: clears away what killed ones have left. */
export function sweepOnce(directory: string, log: Log): Promise<void> {
  swept ??= sweepDeadSessions(directory, log);
  return swept;
}

/**
 * Ends the processes and removes the private directories of sessions whose process was killed (SIGKILL, out of memory). What a
 * living process owns, what is kept on purpose and what cannot be judged stays. Never throws.
 */
export async function sweepDeadSessions(directory: string, log: Log): Promise<void> {
  const roots = await listSessionRoots(directory);
  for (const root of roots) {
    const owner = await readOwner(root.path);
    if (owner === undefined || !isOwnerDead(owner)) continue;
    try {
      await endProcesses({ marker: `${SESSION_VARIABLE}=${owner.session}`, roots: [], ...userOf(root, roots) }, 0);
      await removeTree(root.path);
      say(log, "INFO", `removed ${root.path}, left by a run that was killed (process ${owner.pid})`);
    } catch (error) {
      say(log, "WARNING", `${root.path}, left by a killed run, cannot be removed: ${errorText(error)}`);
    }
  }
}

/** The session's own user, unless another session has the same one. */
function userOf(root: SessionRoot, roots: readonly SessionRoot[]): { uid?: number } {
  const isAlone = roots.every((other) => other === root || other.gid !== root.gid);
  return isAlone && isSessionUser(root.gid) ? { uid: root.gid } : {};
}

function say(log: Log, level: "INFO" | "WARNING", message: string): void {
  log({ level, source: "host_process", message });
}
