import { readFileSync, readlinkSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/** Which process a session belongs to; kept in the session's private directory. */
const SessionOwner = z.object({
  pid: z.int().positive(),
  /** Tells a process from a later one with the same number; empty where that cannot be known. */
  started: z.string(),
  /** Where process numbers mean the same: one start of one machine, and inside of it one container. */
  machine: z.string(),
  /** Marks the processes of the session. */
  session: z.string(),
});
export type SessionOwner = z.infer<typeof SessionOwner>;

const FILE = "owner.json";

export function thisProcess(session: string): SessionOwner {
  return { pid: process.pid, started: startTime(process.pid) ?? "", machine: machine(), session };
}

export async function writeOwner(root: string, owner: SessionOwner): Promise<void> {
  await writeFile(join(root, FILE), JSON.stringify(owner), { mode: 0o600, flag: "wx" });
}

/** Undefined when nobody has signed: the session is about to be made, or it is kept on purpose. */
export async function readOwner(root: string): Promise<SessionOwner | undefined> {
  try {
    return SessionOwner.parse(JSON.parse(await readFile(join(root, FILE), "utf8")));
  } catch {
    return undefined;
  }
}

/** True only when it is certain that the process has ended; in doubt it lives. */
export function isOwnerDead(owner: SessionOwner): boolean {
  if (owner.machine !== machine()) return false;
  if (!isRunning(owner.pid)) return true;
  const started = startTime(owner.pid);
  return started !== undefined && owner.started !== "" && started !== owner.started;
}

function machine(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs under another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Clock ticks since the machine's start; the empty text for a process that only waits to be reaped. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "" : fields[19];
  } catch {
    return undefined;
  }
}
