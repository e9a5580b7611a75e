import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { errorText } from "@agentcompass/core";
import { type Environment, EnvironmentFailure, type EnvironmentSession, type OpenAsk } from "@agentcompass/core/plugin";
import { sweepOnce } from "./dead-sessions.ts";
import { HostSession } from "./host-session.ts";
import { lazySession } from "./lazy-session.ts";
import { createSessionDirectory, removeTree } from "./session-directory.ts";
import { thisProcess, writeOwner } from "./session-owner.ts";
import { listSessionRoots, sessionRootPath, sessionsDirectory } from "./session-roots.ts";
import { releaseSessionUser, runsAsRoot, type SessionUser, takeSessionUser } from "./session-user.ts";

/** How often another user is tried when one turns out to be another session's as well. */
const MOST_ROUNDS = 20;

/**
 * Commands as processes of this machine: a private directory and a clean environment for each session and, when this
 * process is root, a user of its own; no other isolation.
 */
export const hostProcess: Environment = {
  id: "host_process",
  networkModes: ["public"],
  resourceFields: [],
  setupFields: ["workdir", "build_timeout_seconds"],
  ownsFilesystem: false,
  exposure: exposureText(runsAsRoot()),
  doOpen: openHostProcess,
};

export function exposureText(root: boolean): string {
  const start = "host_process: commands of the model run on this machine without isolation, with its network";
  return root
    ? `${start}; each task has a user of its own, so what every user may read stays readable`
    : `${start}, as your user: your files, results, other tasks and your processes' environment, keys in it included, stay readable to them`;
}

/** A given workdir is looked at now; a directory of the session's own is made when the session is first used. */
async function openHostProcess(ask: OpenAsk): Promise<EnvironmentSession> {
  ask.signal.throwIfAborted();
  const id = randomUUID();
  const root = sessionRootPath(ask.label, id);
  if (ask.setup.workdir !== undefined) return openNow(ask, root, id);
  return lazySession({
    workdir: join(root, "work"),
    scratch: join(root, "scratch"),
    open: () => openNow(ask, root, id),
  });
}

async function openNow(ask: OpenAsk, root: string, id: string): Promise<EnvironmentSession> {
  await sweepOnce(sessionsDirectory(), ask.log);
  let session: EnvironmentSession | undefined;
  try {
    session = runsAsRoot() ? await openAsOther(ask, root, id) : await open(ask, root, id, undefined);
  } catch (error) {
    if (error instanceof EnvironmentFailure) throw error;
    throw new EnvironmentFailure(`host_process: no session can be opened: ${errorText(error)}`, { cause: error });
  }
  if (ask.signal.aborted) await session.close();
  ask.signal.throwIfAborted();
  return session;
}

/** Under a user that nobody else has, or as root, and then said, where only root can work in the given directory. */
async function openAsOther(ask: OpenAsk, root: string, id: string): Promise<EnvironmentSession> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const user = takeSessionUser(await usersElsewhere(root));
    const session = await open(ask, root, id, user).catch((error: unknown) => {
      releaseSessionUser(user);
      throw error;
    });
    const isShared = user !== undefined && (await usersElsewhere(root)).has(user.uid);
    if (!isShared && (await canWork(session))) return session;
    await session.close();
    if (isShared) continue;
    ask.log({
      level: "WARNING",
      source: "host_process",
      message: `another user than root cannot work in ${session.workdir}: commands run as root`,
    });
    return await open(ask, root, id, undefined);
  }
  throw new Error("no user is free for it");
}

/** The users of other sessions, also of those that other processes of this machine have opened. */
async function usersElsewhere(root: string): Promise<ReadonlySet<number>> {
  const roots = await listSessionRoots(sessionsDirectory());
  return new Set(roots.filter((other) => other.path !== root).map((other) => other.gid));
}

async function canWork(session: EnvironmentSession): Promise<boolean> {
  const result = await session.exec({ command: "test -w . && test -x ." });
  return result.returncode === 0;
}

async function open(
  ask: OpenAsk,
  root: string,
  id: string,
  user: SessionUser | undefined,
): Promise<EnvironmentSession> {
  const directory = await createSessionDirectory(root, ask.setup.workdir, user);
  const session = new HostSession(ask, directory, id, user);
  try {
    if (!ask.keep) await writeOwner(root, thisProcess(id));
    return session;
  } catch (error) {
    await removeTree(root);
    throw error;
  }
}
