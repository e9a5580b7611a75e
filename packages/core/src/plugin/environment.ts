import type { Log } from "../port/log.ts";
import type { EnvironmentSetup, NetworkPolicy, Params, Resources } from "../spec/resolved.ts";

/**
 * A place where commands of an agent and of an evaluation run. The framework owns its life: it opens one per
 * attempt and closes it; harness and benchmark borrow the session.
 */
export interface Environment {
  readonly id: string;
  /** Network modes that are enforced here; a policy outside them is refused before anything is opened. */
  readonly networkModes: readonly NetworkPolicy["network_mode"][];
  /** Fields of `resources` that are enforced here; others are refused (storage_mb alone is ignored with a warning). */
  readonly resourceFields: readonly (keyof Resources)[];
  /** Fields of `setup` that have an effect here; others are refused. Undefined is all. */
  readonly setupFields?: readonly (keyof EnvironmentSetup)[];
  /** Whether commands see a filesystem of their own, so that a task may use absolute paths such as /app. */
  readonly ownsFilesystem: boolean;
  /** One line said once per run when commands of a model will run here; undefined when the place is isolated. */
  readonly exposure?: string;
  /** Allocates one session. Throws EnvironmentFailure; whatever was allocated by then is gone. */
  doOpen(ask: OpenAsk): Promise<EnvironmentSession>;
}

export type OpenAsk = {
  readonly params: Params;
  readonly setup: EnvironmentSetup;
  readonly resources: Resources;
  /** Bound to every command of the session. */
  readonly env: Readonly<Record<string, string>>;
  /** Readable name for directories and labels, already safe for file names. */
  readonly label: string;
  /** The session stays open on purpose (keep_environment): nobody closes it, and it must outlive this process. */
  readonly keep?: boolean;
  readonly signal: AbortSignal;
  readonly log: Log;
};

export type ExecAsk = {
  /** Text runs in a POSIX shell; a list runs directly. */
  readonly command: string | readonly string[];
  /** Absolute, or relative to the session's workdir (the default). */
  readonly cwd?: string;
  /** Added over the session's own; wins. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Kills the whole process tree; none by default. */
  readonly timeoutMs?: number;
  /** Bytes kept of stdout and of stderr each, first and last halves; the rest is counted and dropped. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
};

export type ExecResult = {
  /** Exit status; 124 after a timeout, 128 + signal number when killed by a signal. */
  readonly returncode: number;
  /** UTF-8 with replacement characters; a marker line stands where bytes were dropped. */
  readonly stdout: string;
  readonly stderr: string;
  readonly timed_out: boolean;
  /** Bytes that were dropped of both streams together. */
  readonly dropped_bytes: number;
  readonly duration_ms: number;
};

export interface EnvironmentSession {
  /** Absolute working directory of commands. */
  readonly workdir: string;
  /** Directory of the session that is not the agent's: a place for tests and logs (a sibling of workdir on host_process). */
  readonly scratch: string;
  /** Never throws for a command that fails or times out; throws EnvironmentFailure when the place itself is gone. */
  exec(ask: ExecAsk): Promise<ExecResult>;
  /** Copies a file or a directory tree from this machine; parents are made. */
  upload(localPath: string, remotePath: string): Promise<void>;
  /** Copies a file or a directory tree to this machine. */
  download(remotePath: string, localPath: string): Promise<void>;
  /** Text of a file, at most `maxBytes` (default 10 MiB); undefined when there is none. */
  readText(path: string, maxBytes?: number): Promise<string | undefined>;
  writeText(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Ends every process of the session and removes what it owns; idempotent. */
  close(): Promise<void>;
}

/** The place failed, not what ran in it: fatal for the attempt and retried as configured. */
export class EnvironmentFailure extends Error {
  override readonly name = "EnvironmentFailure";
}
