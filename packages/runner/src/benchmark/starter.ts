import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentCompassError } from "@agentcompass/core";
import type { Benchmark } from "@agentcompass/core/plugin";
import { createHarborBenchmark } from "./harbor/index.ts";
import { isFolder } from "./harbor/task-folder.ts";
import { PlainParams, parseParams } from "./params.ts";

/** How many folders above this module `data/starter` may be: sources and bundles differ. */
const LEVELS = 5;

/**
 * A dozen small tasks that come with AgentCompass and need only sh and node. `folder` replaces the place of the tasks, which
 * otherwise is `data/starter` in the nearest folder above this module.
 */
export function createStarterBenchmark(folder?: string): Benchmark {
  return createHarborBenchmark({
    id: "starter",
    carriesFiles: true,
    locate: async (ask) => ({ path: folder ?? (await starterFolder()), params: parseParams(PlainParams, ask.params) }),
  });
}

/** The folder of the starter tasks. Throws AgentCompassError `benchmark.data_missing` when the installation lacks it. */
export async function starterFolder(): Promise<string> {
  const here = dirname(fileURLToPath(import.meta.url));
  let folder = here;
  for (let level = 0; level < LEVELS; level++) {
    const candidate = join(folder, "data", "starter");
    if (await isFolder(candidate)) return candidate;
    folder = dirname(folder);
  }
  throw new AgentCompassError(
    "benchmark.data_missing",
    `the starter tasks (data/starter) are not beside or above ${here}; install AgentCompass again`,
  );
}
