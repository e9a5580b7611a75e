import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { AgentCompassError, errorText, sha256 } from "@agentcompass/core";

/** One task folder. */
export type TaskFolder = { readonly task_id: string; readonly folder: string };

/** One file of a task, with its path inside the task folder. */
export type TaskFile = { readonly path: string; readonly bytes: Uint8Array };

/**
 * The tasks at a path: the folder itself when it is a task, else every sub-folder that looks like one, by name.
 * Throws AgentCompassError `benchmark.data_missing` when there is no such folder.
 */
export async function findTasks(path: string): Promise<readonly TaskFolder[]> {
  if (!(await isFolder(path)))
    throw new AgentCompassError(
      "benchmark.data_missing",
      `benchmark.path: there is no folder ${path}; give a folder of Harbor tasks or one task folder (relative paths start at the working directory)`,
    );
  if (await looksLikeTask(path)) return [{ task_id: basename(path), folder: path }];
  const names = (await readdir(path)).filter((name) => !name.startsWith(".")).sort();
  const found: TaskFolder[] = [];
  for (const name of names)
    if (await looksLikeTask(join(path, name))) found.push({ task_id: name, folder: join(path, name) });
  return found;
}

async function looksLikeTask(folder: string): Promise<boolean> {
  return (await isFile(join(folder, "task.toml"))) || (await isFile(join(folder, "instruction.md")));
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

/** Text of a file that a task must have. */
export async function readRequired(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const reason = missing ? "is missing; every Harbor task has one" : `cannot be read: ${errorText(error)}`;
    throw new AgentCompassError("benchmark.data_invalid", `${path}: ${reason}`);
  }
}

/** The files under some entries of a task folder, links left out, in the order of their paths. */
export async function readFiles(folder: string, entries: readonly string[]): Promise<readonly TaskFile[]> {
  const files: TaskFile[] = [];
  for (const entry of entries) {
    if (await isFile(join(folder, entry))) files.push({ path: entry, bytes: await readFile(join(folder, entry)) });
    if (!(await isFolder(join(folder, entry)))) continue;
    for (const child of await readdir(join(folder, entry), { recursive: true, withFileTypes: true })) {
      const path = join(child.parentPath, child.name);
      if (child.isFile()) files.push({ path: relative(folder, path), bytes: await readFile(path) });
    }
  }
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** One checksum over names and contents. */
export function checksumOf(files: readonly TaskFile[]): string {
  return sha256(files.map((file) => `${file.path}\0${sha256(file.bytes)}\n`).join(""));
}
