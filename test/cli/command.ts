import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = join(ROOT, "packages/cli/bin/agentcompass.js");

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type CommandOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** Called with all of stderr so far at each piece of it. */
  readonly onStderr?: (text: string, child: { kill: (signal: NodeJS.Signals) => void }) => void;
};

/** Runs the built command in a process of its own, with a home of its own, and waits for its end. */
export async function agentcompass(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const home = await temporaryDirectory();
  return await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? home,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.uid !== undefined && { uid: options.uid }),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      options.onStderr?.(stderr, { kill: (signal) => void child.kill(signal) });
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A directory that is gone when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "agentcompass-cli-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
