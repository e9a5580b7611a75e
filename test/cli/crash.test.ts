import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { describe, expect, it } from "vitest";
import { agentcompass, BIN, temporaryDirectory } from "./command.ts";

const TASKS = 60;

async function filesBelow(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const));
  return Object.fromEntries(texts.map(([file, text]) => [file.slice(directory.length + 1), text]));
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("kill -9 in the middle of 60 tasks", () => {
  it("leaves whole results, which a second run with --reuse takes over without calling the model for them", async () => {
    const cwd = await temporaryDirectory();
    const lines = Array.from({ length: TASKS }, (_, index) =>
      JSON.stringify({ id: `t${index}`, input: `question ${index}`, expected: "42" }),
    );
    await writeFile(join(cwd, "tasks.jsonl"), lines.join("\n"));
    await using server = await startModelServer(() => ({ delayMs: 60 }));
    const args = [
      ...["run", "jsonl", "openai_chat", "m", "--benchmark-params", '{"path": "tasks.jsonl", "scorer": "includes"}'],
      ...["--model-base-url", server.url, "--model-api-key", "k", "--task-concurrency", "4", "--progress", "none"],
    ];
    const env = { PATH: process.env["PATH"] ?? "", HOME: cwd };
    const child = spawn(process.execPath, [BIN, ...args, "--run-id", "first"], { cwd, env, stdio: "ignore" });
    await until(() => server.requests.length > TASKS / 2);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));

    const run = join(cwd, "results", "m_jsonl_openai_chat");
    const before = await filesBelow(join(run, "first"));
    const finished = Object.entries(before).filter(([name]) => name.endsWith("/result.json"));
    expect(finished.length).toBeGreaterThan(5);
    expect(finished.length).toBeLessThan(TASKS);
    for (const [, text] of finished)
      expect(JSON.parse(text)).toMatchObject({ status: "completed", metrics: { correct: true } });

    // What the model had answered when the run was killed is evaluated without asking again: its checkpoint tells.
    const answered = Object.keys(before).filter(
      (name) => name.endsWith("/checkpoint.json") && !(name.replace(/checkpoint\.json$/, "result.json") in before),
    );
    expect(answered.length).toBeLessThanOrEqual(8);

    const askedBefore = server.requests.length;
    const second = await agentcompass([...args, "--run-id", "second", "--reuse", "first", "--json"], {
      cwd,
      env: { HOME: cwd },
    });
    expect(second).toMatchObject({ code: 0 });
    expect(server.requests.length - askedBefore).toBe(TASKS - finished.length - answered.length);
    const after = await filesBelow(join(run, "second"));
    expect(Object.keys(after).filter((name) => name.endsWith("/result.json"))).toHaveLength(TASKS);
    for (const [name, text] of finished) {
      const copy = Object.entries(after).find(([other]) => other.endsWith(name.slice(name.indexOf("/", 8))));
      expect(withoutHistory(copy?.[1] ?? "{}")).toEqual(withoutHistory(text));
    }
    const untouched = await filesBelow(join(run, "first"));
    for (const [name, text] of Object.entries(before)) expect(digest(untouched[name] ?? "")).toBe(digest(text));
  });
});

function withoutHistory(text: string): unknown {
  const {
    retry_count: _count,
    artifacts,
    ...rest
  } = JSON.parse(text) as Record<string, unknown> & { artifacts?: object };
  const { reuse_history: _history, ...kept } = (artifacts ?? {}) as Record<string, unknown>;
  return { ...rest, artifacts: kept };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
