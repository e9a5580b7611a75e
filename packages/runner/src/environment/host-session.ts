import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { errorText } from "@agentcompass/core";
import {
  EnvironmentFailure,
  type EnvironmentSession,
  type ExecAsk,
  type ExecResult,
  type OpenAsk,
} from "@agentcompass/core/plugin";
import { cleanEnvironment } from "./clean-environment.ts";
import { runCommand } from "./command.ts";
import { HostProcessParams } from "./host-process-params.ts";
import { DEFAULT_MAX_PROCESSES, limitProcesses } from "./process-limit.ts";
import { COMMAND_VARIABLE, endProcesses, SESSION_VARIABLE } from "./process-tree.ts";
import { removeTree, type SessionDirectory } from "./session-directory.ts";
import { sessionFiles } from "./session-files.ts";
import { releaseSessionUser, type SessionUser } from "./session-user.ts";

const GRACE_MS = 300;
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
/** Linux takes at most 128 KiB in one argument. */
const LONGEST_ARGUMENT = 120_000;

/** Commands in the directories of a session, under its user when it has one; what they start ends with it. */
export class HostSession implements EnvironmentSession {
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
