import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const POLL_MS = 10;
const TICKS_PER_SECOND = 100;
const MIB = 1024 * 1024;

/**
 * Runs a command to its end and measures it: seconds of wall time, of CPU and MiB of peak memory, the latter two of the
 * process itself, read from /proc (null where there is none) and so at most 10 ms old at its end. Throws an error with
 * the end of its stderr when its exit status is not 0.
 */
export function measure(command, args, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ["ignore", "pipe", "pipe"] });
    const seen = { cpuSeconds: null, peakMebibytes: null };
    const timer = setInterval(() => Object.assign(seen, readUsage(child.pid)), POLL_MS);
    const text = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"])
      child[stream].setEncoding("utf8").on("data", (chunk) => {
        text[stream] += chunk;
      });
    let wallSeconds;
    child.on("exit", () => {
      wallSeconds = (performance.now() - startedAt) / 1000;
      clearInterval(timer);
    });
    child.on("error", (error) => {
      clearInterval(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      if (code === 0) resolve({ wallSeconds, ...seen, stdout: text.stdout });
      else reject(new Error(`${command} ${args[0] ?? ""} ended with ${code ?? signal}: ${text.stderr.slice(-600)}`));
    });
  });
}

function readUsage(pid) {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    // The name before it is in parentheses and may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return peak ? { cpuSeconds, peakMebibytes: (Number(peak[1]) * 1024) / MIB } : { cpuSeconds };
  } catch {
    // No /proc, or the process has just ended: what was seen before counts.
    return {};
  }
}
