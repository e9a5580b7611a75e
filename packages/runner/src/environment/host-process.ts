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
import { lazySession } from "./lazy-session.ts";
import { COMMAND_VARIABLE, endProcesses, SESSION_VARIABLE } from "./process-tree.ts";
import { createSessionDirectory, removeTree, type SessionDirectory, sessionRoot } from "./session-directory.ts";
import { sessionFiles } from "./session-files.ts";
import { releaseSessionUser, runsAsRoot, type SessionUser, takeSessionUser } from "./session-user.ts";

const GRACE_MS = 300;
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
    : `${start}, as your user: your files and your processes' environment stay readable to them`;
}

/** A given workdir is looked at now; a directory of the session's own is made when the session is first used. */
async function openHostProcess(ask: OpenAsk): Promise<EnvironmentSession> {
  ask.signal.throwIfAborted();
  const root = sessionRoot(ask.label);
  if (ask.setup.workdir !== undefined) return openNow(ask, root);
  return lazySession({ workdir: join(root, "work"), scratch: join(root, "scratch"), open: () => openNow(ask, root) });
}

async function openNow(ask: OpenAsk, root: string): Promise<EnvironmentSession> {
  const user = takeSessionUser();
  let session: EnvironmentSession | undefined;
  try {
    session = await open(ask, root, user);
    if (user && !(await canWork(session))) {
      await session.close();
      ask.log({
        level: "WARNING",
        source: "host_process",
        message: `another user than root cannot work in ${session.workdir}: commands run as root`,
      });
      session = await open(ask, root, undefined);
    }
  } catch (error) {
    if (session) await session.close();
    else releaseSessionUser(user);
    if (error instanceof EnvironmentFailure) throw error;
    throw new EnvironmentFailure(`host_process: no session can be opened: ${errorText(error)}`, { cause: error });
  }
  if (ask.signal.aborted) await session.close();
  ask.signal.throwIfAborted();
  return session;
}

async function canWork(session: EnvironmentSession): Promise<boolean> {
  const result = await session.exec({ command: "test -w . && test -x ." });
  return result.returncode === 0;
}

async function open(ask: OpenAsk, root: string, user: SessionUser | undefined): Promise<EnvironmentSession> {
  const directory = await createSessionDirectory(root, ask.setup.workdir, user);
  return new HostSession(ask, directory, user);
}

class HostSession implements EnvironmentSession {
  readonly workdir: string;
  readonly scratch: string;
  readonly upload: EnvironmentSession["upload"];
  readonly download: EnvironmentSession["download"];
  readonly readText: EnvironmentSession["readText"];
  readonly writeText: EnvironmentSession["writeText"];
  readonly remove: EnvironmentSession["remove"];
  readonly #id = randomUUID();
  readonly #ask: OpenAsk;
  readonly #directory: SessionDirectory;
  readonly #user: SessionUser | undefined;
  readonly #outputs = new Set<Readable>();
  #commands = 0;
  #closing: Promise<void> | undefined;

  constructor(ask: OpenAsk, directory: SessionDirectory, user: SessionUser | undefined) {
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
    const [file, ...args] = await this.#argumentList(ask.command);
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
    const everything = { marker: `${SESSION_VARIABLE}=${this.#id}`, roots: [] };
    await endProcesses(this.#user ? { ...everything, uid: this.#user.uid } : everything, GRACE_MS);
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
