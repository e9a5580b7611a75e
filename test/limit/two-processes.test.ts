import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const WORKER = fileURLToPath(new URL("./permit-worker.ts", import.meta.url));

type Line = { event: string; pid: number; at: number };

describe("processes that share one state file", () => {
  let directory: string;
  let children: ChildProcess[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "processes-"));
    children = [];
  });
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(directory, { recursive: true });
  });

  const start = (capacity: number, count: number, workMs: number): ChildProcess => {
    const values = [join(directory, "state", "permits.sqlite"), join(directory, "log"), capacity, count, workMs];
    const child = spawn(process.execPath, ["--import", "tsx", WORKER, ...values.map(String)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    children.push(child);
    return child;
  };

  const finish = async (child: ChildProcess): Promise<void> => {
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
  };

  const lines = (): Line[] => {
    const path = join(directory, "log");
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const [event = "", pid, at] = line.split(" ");
        return { event, pid: Number(pid), at: Number(at) };
      });
  };

  const count = (event: string): number => lines().filter((line) => line.event === event).length;

  const go = (): void => writeFileSync(join(directory, "log.go"), "");

  const eventually = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it("three processes together never run more than the limit of 3, and every one finishes", async () => {
    const finished = Promise.all([1, 2, 3].map(() => finish(start(3, 12, 25))));
    await eventually(() => count("ready") === 3);
    go();
    await finished;
    let running = 0;
    let most = 0;
    for (const { event } of lines()) {
      running += { start: 1, end: -1 }[event] ?? 0;
      most = Math.max(most, running);
    }
    expect(most).toBe(3);
    expect(running).toBe(0);
    expect([count("start"), count("done")]).toEqual([36, 3]);
  });

  it("the permits of a process killed while it holds them are taken back within a second", async () => {
    go();
    const victim = start(3, 3, 60_000);
    await eventually(() => count("start") === 3);
    const survivor = start(3, 3, 1);
    const finished = finish(survivor);
    await eventually(() => count("go") === 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(count("start")).toBe(3);
    const killedAt = Date.now();
    victim.kill("SIGKILL");
    await finished;
    const starts = lines().filter(({ event, pid }) => event === "start" && pid === survivor.pid);
    expect(starts).toHaveLength(3);
    for (const { at } of starts) expect(at - killedAt).toBeLessThan(1_000);
  });
});
