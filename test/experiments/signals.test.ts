/** SIGINT and SIGTERM during a run (reference 3.11, 11.4). */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentcompass, temporaryDirectory } from "../cli/command.ts";
import { type Lab, openLab } from "./lab.ts";

type Child = { kill: (signal: NodeJS.Signals) => void };

/** Sends each signal so many milliseconds after the first task has finished and the second hangs. */
async function signalled(signals: readonly (readonly [NodeJS.Signals, number])[], args: readonly string[] = []) {
  let child: Child | undefined;
  const lab: Lab = await openLab((_request, index) => {
    if (index !== 1) return {};
    for (const [signal, after] of signals) setTimeout(() => child?.kill(signal), after);
    return { hang: "request" };
  }, 4);
  const ended = await lab.run("r", ["--task-concurrency", "1", "--progress", "plain", ...args], {
    onStderr: (_text, one) => {
      child = one;
    },
  });
  return { lab, ended };
}

describe("a run that is stopped", () => {
  it.each([
    ["SIGINT", 130, "as AgentCompass"],
    ["SIGTERM", 143, "where AgentCompass dies without a status"],
  ] as const)("by %s exits %i with status cancelled, %s, and a reuse does the rest", async (signal, code, _as) => {
    const { lab, ended } = await signalled([[signal, 300]]);
    const run = await lab.look("r");
    expect([ended.code, run.info.status, run.ends]).toEqual([code, "cancelled", ["cancelled"]]);
    expect([run.tasks, run.metrics, run.summary]).toEqual([{ normal: 1, running: 1 }, undefined, undefined]);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    const before = lab.model.requests.length;
    expect((await lab.run("again", ["--reuse", "r"])).code).toBe(0);
    expect([lab.model.requests.length - before, (await lab.look("again")).tasks]).toEqual([3, { normal: 4 }]);
  });
});

/** An agent that heeds nothing, and two Ctrl-C while it works. */
const STUBBORN = `
import { defineHarness, z } from "agentcompass";
export default defineHarness({
  id: "stubborn",
  description: "Heeds no signal.",
  params: z.strictObject({}),
  delivers: ["workspace"],
  needsModel: false,
  runsCommands: false,
  doRun: () => {
    for (const after of [100, 600]) setTimeout(() => process.kill(process.pid, "SIGINT"), after);
    return new Promise((resolve) => setTimeout(resolve, 60_000));
  },
});
`;

describe("a second SIGINT", () => {
  it("ends a run whose agent does not end, long before its grace is over, with the status on disk", async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "stubborn.mjs"), STUBBORN);
    const line = ["run", "starter", "stubborn", "none", "--component", "stubborn.mjs", "--run-id", "r"];
    const startedAt = performance.now();
    const { code, stderr } = await agentcompass([...line, "--log-level", "CRITICAL"], { cwd });
    expect(performance.now() - startedAt).toBeLessThan(9000);
    expect([code, stderr.match(/SIGINT: ending the run/g)?.length]).toEqual([130, 1]);
    const [info] = await glob(join(cwd, "results"), "run_info.json");
    expect(JSON.parse(await readFile(info ?? "absent", "utf8")).status).toBe("cancelled");
  });
});

async function glob(directory: string, name: string): Promise<string[]> {
  const files = await readdir(directory, { recursive: true });
  return files.filter((file) => file.endsWith(name)).map((file) => join(directory, file));
}
