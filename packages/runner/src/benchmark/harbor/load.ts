import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { AgentCompassError, sha256 } from "@agentcompass/core";
import type { DataProvenance, LoadAsk, LoadedTasks, TaskSpec } from "@agentcompass/core/plugin";
import type { CommonParams } from "../params.ts";
import { selectTasks } from "../selection.ts";
import { findAbsolutePath } from "./absolute-path.ts";
import type { Place } from "./layout.ts";
import {
  checksumOf,
  findTasks,
  isFile,
  readFiles,
  readRequired,
  type TaskFile,
  type TaskFolder,
} from "./task-folder.ts";
import { toTaskSpec } from "./task-spec.ts";
import { parseTaskToml } from "./task-toml.ts";

/** Data of a task (environment/) may name any path, such as those of a web server; its scripts and wording may not. */
const SCANNED = /^(?:instruction\.md$|(?:tests|solution)[\\/])/;
const USED = ["task.toml", "instruction.md", "tests", "solution"];

export type HarborSource = {
  readonly path: string;
  readonly params: CommonParams;
  /** What is known of a folder that came from elsewhere. */
  readonly origin?: Pick<DataProvenance, "source" | "commit" | "archive">;
  /** The tasks are made to run without an image: nothing is said about it. */
  readonly carriesFiles?: boolean;
};

type OneTask = { readonly spec: TaskSpec; readonly checksum: string; readonly notes: readonly string[] };

/** Reads the selected tasks of a folder; one that is malformed, or that cannot run in this environment, is refused by name. */
export async function loadHarborTasks(source: HarborSource, ask: LoadAsk): Promise<LoadedTasks> {
  const { path, params } = source;
  const found = await findTasks(path);
  const loaded: OneTask[] = [];
  for (const folder of selectTasks(path, found, params)) {
    ask.signal.throwIfAborted();
    loaded.push(await loadTask(folder, ask.environment, source));
  }
  return {
    tasks: loaded.map((task) => task.spec),
    provenance: {
      ...(source.origin ?? { source: path }),
      checksum: `sha256:${sha256(loaded.map((task) => `${task.spec.task_id}\0${task.checksum}\n`).join(""))}`,
      tasks_available: found.length,
    },
    warnings: [...new Set(loaded.flatMap((task) => task.notes))],
  };
}

async function loadTask({ task_id: id, folder }: TaskFolder, place: Place, source: HarborSource): Promise<OneTask> {
  const tomlPath = join(folder, "task.toml");
  const { toml, unused } = parseTaskToml(tomlPath, await readRequired(tomlPath));
  const instruction = await readRequired(join(folder, "instruction.md"));
  if (instruction.trim() === "") throw invalid(join(folder, "instruction.md"), "is empty");
  if (!(await isFile(join(folder, "tests", "test.sh"))))
    throw invalid(join(folder, "tests", "test.sh"), "is missing; every Harbor task has one");
  const files = await readFiles(folder, place.ownsFilesystem ? USED : [...USED, "environment"]);
  if (!place.ownsFilesystem) refuseAbsolutePaths(folder, files, place);
  const { spec, notes } = toTaskSpec({ id, folder, instruction, toml, place });
  const built = source.carriesFiles ? [] : await buildNote(folder, place, toml.environment?.docker_image);
  return {
    spec,
    checksum: checksumOf(files),
    notes: [
      ...notes,
      ...built,
      ...(unused.length > 0 ? [`${tomlPath}: fields that are not used: ${unused.join(", ")}`] : []),
    ],
  };
}

function refuseAbsolutePaths(folder: string, files: readonly TaskFile[], place: Place): void {
  const hit = findAbsolutePath(files.filter((file) => SCANNED.test(file.path)));
  if (!hit) return;
  throw invalid(
    `${join(folder, hit.path)}:${hit.line}`,
    `${hit.found} is an absolute path, but ${place.id} gives a task no filesystem of its own; ${hit.advice}, or run the task in a container (environment docker)`,
  );
}

async function buildNote(folder: string, place: Place, image: string | undefined): Promise<readonly string[]> {
  const names = await readdir(join(folder, "environment")).catch((): string[] => []);
  if (place.ownsFilesystem || (image === undefined && !names.includes("Dockerfile"))) return [];
  return [
    `${place.id} uses no image: environment/Dockerfile and docker_image are ignored, other files of environment/ are copied into the task's directory`,
  ];
}

function invalid(where: string, reason: string): AgentCompassError {
  return new AgentCompassError("benchmark.data_invalid", `${where}: ${reason}`);
}
