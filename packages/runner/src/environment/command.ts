import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { errorText } from "@agentcompass/core";
import { EnvironmentFailure, type ExecResult } from "@agentcompass/core/plugin";
import { BoundedOutput } from "./bounded-output.ts";

export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid">;
  readonly stdin: string | Uint8Array | undefined;
  readonly timeoutMs: number | undefined;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Ends the command's process, all that it started, and resolves when they are gone. */
  readonly end: (pid: number) => Promise<void>;
  /** Takes an output that background processes still hold when the command has ended. */
  readonly adopt: (output: Readable) => void;
};

/** How long output may still come after the command's own process has ended. */
const DRAIN_MS = 200;
const READ_TURNS = 3;
const SYSTEM_IS_FULL = new Set(["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"]);

/**
 * Runs one command in a process group of its own. Resolves when its process has ended, even if others still hold its
 * output; rejects with the signal's reason after an abort, once the tree is gone.
 */
export async function runCommand(command: Command): Promise<ExecResult> {
  command.signal?.throwIfAborted();
  const startedAt = performance.now();
  const out = new BoundedOutput(command.maxOutputBytes);
  const err = new BoundedOutput(command.maxOutputBytes);
  const ended = await start(command).then(
    (child) => follow(child, command, out, err),
    (error: unknown) => notStarted(error, err),
  );
  command.signal?.throwIfAborted();
  return {
    returncode: ended.timedOut ? 124 : ended.returncode,
    stdout: out.text(),
    stderr: err.text(),
    timed_out: ended.timedOut,
    dropped_bytes: out.droppedBytes + err.droppedBytes,
    duration_ms: performance.now() - startedAt,
  };
}

type Ended = { readonly returncode: number; readonly timedOut: boolean };

async function start(command: Command): Promise<ChildProcess> {
  const child = spawn(command.file, [...command.args], {
    ...command.options,
    detached: true,
    stdio: [command.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  return child;
}

/** The shell's own numbers for a command that cannot be run; only a system without room is the place's fault. */
function notStarted(error: unknown, err: BoundedOutput): Ended {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && SYSTEM_IS_FULL.has(code)) {
    throw new EnvironmentFailure(`host_process: no command can be started: ${errorText(error)}`, { cause: error });
  }
  err.push(Buffer.from(`cannot run the command: ${errorText(error)}\n`));
  return { returncode: code === "ENOENT" ? 127 : 126, timedOut: false };
}

async function follow(child: ChildProcess, command: Command, out: BoundedOutput, err: BoundedOutput): Promise<Ended> {
  const outputs = [
    [child.stdout, out],
    [child.stderr, err],
  ] as const;
  for (const [output, kept] of outputs) output?.on("data", (chunk: Buffer) => kept.push(chunk)).on("error", ignore);
  // A command that does not read its input ends the pipe; that is its right.
  child.stdin?.on("error", ignore).end(command.stdin);
  const exited = new Promise<number>((resolve) => child.once("exit", (code, name) => resolve(exitStatus(code, name))));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let timedOut = false;
  let ending: Promise<void> | undefined;
  const stop = (): void => {
    ending ??= child.pid === undefined ? undefined : command.end(child.pid);
  };
  const timer =
    command.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          stop();
        }, command.timeoutMs);
  command.signal?.addEventListener("abort", stop, { once: true });
  if (command.signal?.aborted) stop();
  const returncode = await exited;
  clearTimeout(timer);
  command.signal?.removeEventListener("abort", stop);
  await ending;
  await drain(closed);
  child.stdin?.destroy();
  for (const [output] of outputs) if (output && !output.readableEnded) letGo(output, command);
  return { returncode, timedOut };
}

function exitStatus(code: number | null, name: NodeJS.Signals | null): number {
  return code ?? 128 + (name === null ? 0 : constants.signals[name]);
}

async function drain(closed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([closed, enough]);
  clearTimeout(timer);
  // After a stall of this process the timer is seen before what has long been in the pipe: read that too.
  for (let turn = 0; turn < READ_TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Goes on reading and forgetting: a closed pipe would kill the background process that writes to it. */
function letGo(output: Readable, command: Command): void {
  output.removeAllListeners("data").resume();
  if ("unref" in output && typeof output.unref === "function") output.unref();
  command.adopt(output);
}

function ignore(): void {}
