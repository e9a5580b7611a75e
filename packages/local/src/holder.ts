import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * The name of this process as a holder of permits: `<pid>@<process start time>@<host>.<random>`. The start
 * time tells a process from a later one with the same number.
 */
export function createHolder(): string {
  return `${process.pid}@${processStartTime(process.pid) ?? 0}@${hostname()}.${randomBytes(6).toString("hex")}`;
}

/**
 * False only when it is certain that the holder's process has ended. Holders of other machines (a shared
 * home directory) and other forms of name count as alive: their leases end by expiry.
 */
export function isHolderAlive(holder: string): boolean {
  const match = /^(\d+)@(\d+)@(.*)\.[0-9a-f]+$/.exec(holder);
  if (match === null || match[3] !== hostname()) return true;
  const pid = Number(match[1]);
  if (!isRunning(pid)) return false;
  const startTime = processStartTime(pid);
  return startTime === undefined || match[2] === "0" || startTime === match[2];
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

/** Clock ticks between the machine's start and the process's; undefined where /proc does not exist. */
function processStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A killed process stays as a zombie until its parent asks for it; it holds nothing any more.
    return fields[0] === "Z" || fields[0] === "X" ? "" : fields[19];
  } catch {
    return undefined;
  }
}
