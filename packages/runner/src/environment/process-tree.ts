import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Variables that mark every process of a session and of one command; they outlive setsid and a dead parent. */
export const SESSION_VARIABLE = "AGENTCOMPASS_SESSION";
export const COMMAND_VARIABLE = "AGENTCOMPASS_COMMAND";

export type ProcessMark = {
  /** `NAME=value` in the environment of the processes meant. */
  readonly marker: string;
  /** Their descendants, and the members of their sessions, are meant as well. */
  readonly roots: readonly number[];
  /** Every process of this user is meant, unless it is marked as another session's. */
  readonly uid?: number;
  /** Processes of this process's own user whose working directory is here or below are meant as well. */
  readonly directory?: string;
};

type ProcessFacts = { readonly pid: number; readonly parent: number; readonly session: number };

const KILL_ROUNDS = 100;
const STOP_ROUNDS = 50;
const ROUND_MS = 10;

/**
 * Ends the processes that `mark` means: SIGTERM, then SIGKILL after the grace. Before they are killed they are stopped, until no
 * new one shows up: a process that starts others without end would win a race. Resolves also when the system does not let one go.
 */
export async function endProcesses(mark: ProcessMark, graceMs: number): Promise<void> {
  let found = markedProcesses(mark);
  if (found.length === 0) return;
  signal(found, "SIGTERM");
  const deadline = performance.now() + graceMs;
  for (let pause = ROUND_MS; found.length > 0 && performance.now() < deadline; pause *= 2) {
    await sleep(Math.min(pause, Math.max(1, deadline - performance.now())));
    found = markedProcesses(mark);
  }
  for (let round = 0; found.length > 0 && round < KILL_ROUNDS; round += 1) {
    signal(await stopAll(mark, found), "SIGKILL");
    await sleep(ROUND_MS);
    found = markedProcesses(mark);
  }
}

/** Stops the processes and those that they started meanwhile, and returns all of them. */
async function stopAll(mark: ProcessMark, first: readonly number[]): Promise<readonly number[]> {
  const stopped = new Set<number>();
  let fresh = first;
  for (let round = 0; fresh.length > 0 && round < STOP_ROUNDS; round += 1) {
    signal(fresh, "SIGSTOP");
    for (const pid of fresh) stopped.add(pid);
    await sleep(1);
    fresh = markedProcesses(mark).filter((pid) => !stopped.has(pid));
  }
  return [...stopped];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended by itself since it was seen.
    }
  }
}

/** Living processes that `mark` means. On systems without /proc only descendants are found. */
export function markedProcesses(mark: ProcessMark): number[] {
  const processes = listProcesses();
  const meant = descendants(processes, mark.roots);
  for (const { pid } of processes)
    if (!meant.has(pid) && isMarked(filesOf(pid), mark, process.getuid?.())) meant.add(pid);
  meant.delete(process.pid);
  return [...meant];
}

function descendants(processes: readonly ProcessFacts[], roots: readonly number[]): Set<number> {
  const meant = new Set<number>();
  if (roots.length === 0) return meant;
  const children = new Map<number, number[]>();
  for (const { pid, parent, session } of processes) {
    if (roots.includes(pid) || roots.includes(session)) meant.add(pid);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  for (const pid of meant) for (const child of children.get(pid) ?? []) meant.add(child);
  return meant;
}

/** What /proc tells of a process; undefined where it is closed to us, or the process is gone. */
export type ProcessFiles = {
  /** Closed also to root without CAP_SYS_PTRACE, as in containers, and where the process hides its memory. */
  readonly environment: () => string | undefined;
  readonly uid: () => number | undefined;
  readonly directory: () => string | undefined;
};

/** Whether `mark` means a process by what stands in its files; `ownUid` is the user of this process. */
export function isMarked(files: ProcessFiles, mark: ProcessMark, ownUid: number | undefined): boolean {
  const environment = files.environment();
  if (environment !== undefined && `\0${environment}`.includes(`\0${mark.marker}\0`)) return true;
  if (mark.directory !== undefined && lies(files.directory(), mark.directory) && files.uid() === ownUid) return true;
  if (mark.uid === undefined || environment?.includes(`${SESSION_VARIABLE}=`)) return false;
  return files.uid() === mark.uid;
}

function lies(path: string | undefined, directory: string): boolean {
  return path === directory || (path?.startsWith(`${directory}/`) ?? false);
}

function filesOf(pid: number): ProcessFiles {
  return {
    environment: () => readable(() => readFileSync(`/proc/${pid}/environ`, "latin1")),
    // The owner of /proc/PID is root where a process hides its memory.
    uid: () => readable(() => realUser(readFileSync(`/proc/${pid}/status`, "latin1"))),
    directory: () => readable(() => readlinkSync(`/proc/${pid}/cwd`)),
  };
}

function realUser(status: string): number | undefined {
  const uid = /^Uid:\s+(\d+)/m.exec(status)?.[1];
  return uid === undefined ? undefined : Number(uid);
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function listProcesses(): readonly ProcessFacts[] {
  if (process.platform !== "linux") return listByCommand();
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) ? processFacts(pid) : [];
  });
}

/** Empty for a process that is gone or only waits to be reaped. */
function processFacts(pid: number): readonly ProcessFacts[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may itself hold blanks and parentheses.
    const [state, parent, , session] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? [] : [{ pid, parent: Number(parent), session: Number(session) }];
  } catch {
    return [];
  }
}

function listByCommand(): readonly ProcessFacts[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" });
  return text.split("\n").flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (!pid || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), session: Number(group) }];
  });
}
