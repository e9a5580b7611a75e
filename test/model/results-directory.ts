import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "./evaluate.ts";

/** A directory for one suite, and its removal. */
export async function temporaryDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "agentcompass-model-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Task directories of a run by state. */
export async function taskDirectories(run: string): Promise<Record<string, string[]>> {
  const states = await readdir(join(run, "details"));
  const entries = states.map(async (state) => [state, await readdir(join(run, "details", state))] as const);
  return Object.fromEntries((await Promise.all(entries)).filter(([, tasks]) => tasks.length > 0));
}

/** The first attempt of each task that ended without an error, beside the task's own record. */
export async function normalAttempts(run: string): Promise<{ task: Json; attempt: Json }[]> {
  const directory = join(run, "details", "normal");
  const read = async (...parts: string[]) => JSON.parse(await readFile(join(directory, ...parts), "utf8"));
  return Promise.all(
    (await readdir(directory)).map(async (name) => ({
      task: await read(name, "task.json"),
      attempt: await read(name, "attempt-1", "result.json"),
    })),
  );
}

/** The first attempt of every task, however it ended. */
export async function allAttempts(run: string): Promise<Json[]> {
  const tasks = Object.entries(await taskDirectories(run)).flatMap(([state, names]) =>
    names.map((name) => join(run, "details", state, name, "attempt-1", "result.json")),
  );
  return Promise.all(tasks.map(async (path) => JSON.parse(await readFile(path, "utf8"))));
}
