import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import { RUN_FILES } from "@agentcompass/core/record";

/** Levels of a run name are few; what lies deeper is no folder of results. */
const DEEPEST = 6;
/** Folders looked into before the search for an example is given up. */
const MOST_FOLDERS = 500;

/** Refuses what is no run directory with `run.unreadable`; where runs lie below it, the newest of the first of them is named. */
export async function requireRunDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory())
    throw new AgentCompassError(
      "run.unreadable",
      `${path}: ${found ? "is not a directory" : "does not exist"}; give a run directory`,
    );
  if (await isRun(path)) return;
  const example = await runBelow(path, DEEPEST, { left: MOST_FOLDERS });
  if (example === undefined) return;
  throw new AgentCompassError(
    "run.unreadable",
    `${path}: holds runs but is no run directory itself (no ${RUN_FILES.runInfo}); give one of them, for example ${example}`,
  );
}

async function isRun(path: string): Promise<boolean> {
  return (await stat(join(path, RUN_FILES.runInfo)).catch(() => undefined))?.isFile() ?? false;
}

/** Ids of runs are times unless they were given: the last name is the newest. */
async function runBelow(path: string, deepest: number, budget: { left: number }): Promise<string | undefined> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  folders.sort().reverse();
  for (const folder of folders) {
    budget.left -= 1;
    if (budget.left < 0) return undefined;
    if (await isRun(folder)) return folder;
  }
  if (deepest === 0) return undefined;
  for (const folder of folders) {
    const found = await runBelow(folder, deepest - 1, budget);
    if (found !== undefined) return found;
  }
  return undefined;
}
