import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { expect, it, onTestFinished } from "vitest";
import { BIN, temporaryDirectory } from "../../cli/command.ts";
import { calls, processesWith, submits, uniqueWord } from "../agent.ts";

const PATIENCE_MS = 20_000;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 50)))
    if (Date.now() > end) throw new Error("it did not come about in time");
}

it("what a run that was killed with SIGKILL left is cleared away by the next one, which leaves a living run alone", async () => {
  const cwd = await temporaryDirectory();
  await chmod(cwd, 0o755);
  const tmp = join(cwd, "tmp");
  await mkdir(tmp);
  await writeFile(join(cwd, "tasks.jsonl"), JSON.stringify({ id: "t", input: "task", expected: "OK" }));
  const words = { killed: uniqueWord(), living: uniqueWord() };
  await using server = await startModelServer(({ body }) => {
    if (body.model === "quick") return submits("echo OK");
    const word = body.model === "killed" ? words.killed : words.living;
    return calls(`(setsid sh -c 'while :; do sleep 1; : ${word}; done' > /dev/null 2>&1 &); sleep 60`);
  });
  const start = (model: string): ChildProcess => {
    const child = spawn(
      process.execPath,
      [
        ...[BIN, "run", "jsonl", "mini_swe_agent", model, "--progress", "none"],
        ...["--benchmark-params", '{"path": "tasks.jsonl", "scorer": "includes"}'],
        ...["--model-base-url", server.url, "--model-api-key", "k"],
      ],
      { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd, TMPDIR: tmp }, stdio: "ignore" },
    );
    onTestFinished(() => void child.kill("SIGTERM"));
    return child;
  };
  const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once("exit", resolve));
  const living = start("living");
  const killed = start("killed");
  await until(() => processesWith(words.living).length > 0 && processesWith(words.killed).length > 0);
  const before = await readdir(tmp);
  expect(before).toHaveLength(2);
  const gone = ended(killed);
  killed.kill("SIGKILL");
  await gone;
  expect(processesWith(words.killed).length).toBeGreaterThan(0);

  expect(await ended(start("quick"))).toBe(0);
  expect(processesWith(words.killed)).toEqual([]);
  expect(processesWith(words.living).length).toBeGreaterThan(0);
  const after = await readdir(tmp);
  expect(after).toHaveLength(1);
  expect(before).toContain(after[0]);

  const stopped = ended(living);
  living.kill("SIGTERM");
  expect(await stopped).toBe(143);
  expect(await readdir(tmp)).toEqual([]);
  expect(processesWith(words.living)).toEqual([]);
});
