import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, ROOT, temporaryDirectory } from "./command.ts";

const PARTS = ["calls", "startup", "memory", "slow-model", "writes"];
const SMALL = ["--rounds", "1", "--tasks", "8", "--memory-tasks", "20", "--slow-tasks", "4", "--delay-ms", "50"];

type Row = {
  readonly id: string;
  readonly unit: string;
  readonly value: number | null;
  readonly samples: readonly number[];
  readonly baseline?: { readonly samples: readonly number[] };
  readonly ratio?: number;
  readonly ratios?: readonly number[];
  readonly limit?: { readonly ratio?: number; readonly value?: number };
  readonly isWithinLimit?: boolean | null;
};

/** Runs the script with a cache folder in which no peer is. */
async function bench(args: readonly string[], directory: string): Promise<Ended> {
  const env = { ...process.env, XDG_CACHE_HOME: directory };
  const child = spawn(process.execPath, ["scripts/bench.mjs", ...args], { cwd: ROOT, env });
  const text = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (chunk: string) => {
      text[stream] += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...text };
}

describe("npm run bench", () => {
  it("measures every part and says that the peer is absent", { timeout: 240_000 }, async () => {
    const directory = await temporaryDirectory();
    const out = join(directory, "figures.json");
    const { code, stdout, stderr } = await bench([...SMALL, "--directory", directory, "--out", out], directory);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("Python AgentCompass is absent");
    const report = JSON.parse(await readFile(out, "utf8"));
    expect(report).toMatchObject({
      format: 1,
      peers: { agentcompass: { state: "absent" } },
      machine: { node: process.version },
    });
    const rows: Row[] = report.rows;
    expect(new Set(rows.map(({ id }) => id.split(".")[0]))).toEqual(new Set(PARTS));
    for (const row of rows) {
      // Where there is no strace, nobody knows.
      if (row.id !== "writes.syncs" && process.platform === "linux") expect(row.value, row.id).not.toBeNull();
      row.ratios?.forEach((ratio, index) => {
        expect(ratio, row.id).toBeCloseTo((row.samples[index] ?? 0) / (row.baseline?.samples[index] ?? 0), 9);
      });
      if (row.limit && row.value !== null)
        expect(row.isWithinLimit, row.id).toBe(
          row.limit.ratio === undefined ? row.value <= (row.limit.value ?? 0) : (row.ratio ?? 0) <= row.limit.ratio,
        );
    }
  });

  it("refuses parts and numbers that are none, in one line", async () => {
    const directory = await temporaryDirectory();
    expect(await bench(["--only", "speed"], directory)).toMatchObject({
      code: 2,
      stderr: `bench: --only: "speed" is no part; there are ${PARTS.join(", ")}\n`,
    });
    expect(await bench(["--tasks", "many"], directory)).toMatchObject({
      code: 2,
      stderr: 'bench: --tasks: "many" is no whole number from 1\n',
    });
  });
});
