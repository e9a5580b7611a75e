import { randomUUID } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { errorText } from "@agentcompass/core";
import {
  type Environment,
  EnvironmentFailure,
  type EnvironmentSession,
  type ExecAsk,
  type ExecResult,
  type OpenAsk,
} from "@agentcompass/core/plugin";
import { cleanEnvironment } from "./clean-environment.ts";
import { runCommand } from "./command.ts";
import { sweepOnce } from "./dead-sessions.ts";
import { HostProcessParams } from "./host-process-params.ts";
import { lazySession } from "./lazy-session.ts";
import { DEFAULT_MAX_PROCESSES, limitProcesses } from "./process-limit.ts";
import { COMMAND_VARIABLE, endProcesses, SESSION_VARIABLE } from "./process-tree.ts";
import { createSessionDirectory, removeTree, type SessionDirectory } from "./session-directory.ts";
import { sessionFiles } from "./session-files.ts";
import { thisProcess, writeOwner } from "./session-owner.ts";
import { listSessionRoots, sessionRootPath, sessionsDirectory } from "./session-roots.ts";
import { releaseSessionUser, runsAsRoot, type SessionUser, takeSessionUser } from "./session-user.ts";

const GRACE_MS = 300;
/** How often another user is tried when one turns out to be another session's as well. */
const MOST_ROUNDS = 20;
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
/** Linux takes at most 128 KiB in one argument. */
const LONGEST_ARGUMENT = 120_000;

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

class HostSession implements EnvironmentSession {
  readonly workdir: string;
  readonly scratch: string;
  readonly upload: EnvironmentSession["upload"];
  readonly download: EnvironmentSession["download"];
  readonly readText: EnvironmentSession["readText"];
  readonly writeText: EnvironmentSession["writeText"];
  readonly remove: EnvironmentSession["remove"];
  readonly #id: string;
  readonly #ask: OpenAsk;
  readonly #directory: SessionDirectory;
  readonly #user: SessionUser | undefined;
  readonly #outputs = new Set<Readable>();
  #commands = 0;
  #closing: Promise<void> | undefined;

  constructor(ask: OpenAsk, directory: SessionDirectory, id: string, user: SessionUser | undefined) {
    this.#id = id;
    this.#ask = ask;
    this.#directory = directory;
    this.#user = user;
    this.workdir = directory.workdir;
    this.scratch = directory.scratch;
    const files = sessionFiles(directory, user);
    this.upload = files.upload;
    this.download = files.download;
    this.readText = files.readText;
    this.writeText = files.writeText;
    this.remove = files.remove;
  }

  async exec(ask: ExecAsk): Promise<ExecResult> {
    if (this.#closing) throw new EnvironmentFailure("host_process: the session is closed");
    this.#commands += 1;
    const mark = `${this.#id}.${this.#commands}`;
    const cwd = resolve(this.workdir, ask.cwd ?? ".");
    const missing = await this.#missingDirectory(cwd);
    if (missing) return missing;
    const [file, ...args] = limitProcesses(await this.#argumentList(ask.command), this.#mostProcesses());
    return await runCommand({
      file: file ?? "",
      args,
      options: { cwd, env: this.#environment(ask, mark), ...this.#user },
      stdin: ask.stdin,
      timeoutMs: ask.timeoutMs,
      maxOutputBytes: ask.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES,
      signal: ask.signal,
      end: (pid) => endProcesses({ marker: `${COMMAND_VARIABLE}=${mark}`, roots: [pid] }, GRACE_MS),
      adopt: (output) => {
        this.#outputs.add(output);
        output.once("close", () => this.#outputs.delete(output));
      },
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const marked = { marker: `${SESSION_VARIABLE}=${this.#id}`, roots: [] };
    const more = this.#user ? { uid: this.#user.uid } : { directory: this.#directory.root };
    await endProcesses({ ...marked, ...more }, GRACE_MS);
    for (const output of this.#outputs) output.destroy();
    await removeTree(this.#directory.root).catch((error: unknown) => {
      const message = `${this.#directory.root} cannot be removed: ${errorText(error)}`;
      this.#ask.log({ level: "WARNING", source: "host_process", message });
    });
    releaseSessionUser(this.#user);
  }

  /** Told apart here, since the system reports a missing directory as if the command were missing. */
  async #missingDirectory(cwd: string): Promise<ExecResult | undefined> {
    if ((await stat(cwd).catch(() => undefined))?.isDirectory()) return undefined;
    if (!(await stat(this.#directory.root).catch(() => undefined))) {
      throw new EnvironmentFailure(`host_process: the session's directory ${this.#directory.root} is gone`);
    }
    const stderr = `cannot run the command: there is no directory ${cwd}\n`;
    return { returncode: 127, stdout: "", stderr, timed_out: false, dropped_bytes: 0, duration_ms: 0 };
  }

  #mostProcesses(): number | undefined {
    const given = HostProcessParams.parse(this.#ask.params).max_processes;
    return given ?? (this.#user ? DEFAULT_MAX_PROCESSES : undefined);
  }

  async #argumentList(command: ExecAsk["command"]): Promise<readonly string[]> {
    if (typeof command !== "string") return command;
    if (Buffer.byteLength(command) <= LONGEST_ARGUMENT) return ["/bin/sh", "-c", command];
    const script = join(this.#directory.scripts, `${this.#commands}.sh`);
    await writeFile(script, command, { mode: 0o644 });
    return ["/bin/sh", script];
  }

  #environment(ask: ExecAsk, mark: string): Record<string, string> {
    const marks = { [SESSION_VARIABLE]: this.#id, [COMMAND_VARIABLE]: mark };
    return { ...cleanEnvironment(this.#directory, this.#user), ...this.#ask.env, ...ask.env, ...marks };
  }
}
