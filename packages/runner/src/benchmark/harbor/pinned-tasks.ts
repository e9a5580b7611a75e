import { join } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import type { LoadAsk } from "@agentcompass/core/plugin";
import type { HarborSource } from "./load.ts";
import { pinnedFolder } from "./pinned-folder.ts";
import { pinnedSource } from "./repository.ts";
import { isFolder } from "./task-folder.ts";

type Pinned = {
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
  readonly folder?: string | undefined;
  readonly archive?: string | undefined;
};

/** The folder of the tasks of a repository at a commit, fetched when it is not there yet, and where it came from. */
export async function pinnedTasks(
  { repository = "", commit = "", folder = "", archive }: Pinned,
  ask: LoadAsk,
): Promise<Pick<HarborSource, "path" | "origin">> {
  const source = pinnedSource(repository, commit, archive);
  const whole = await pinnedFolder(source, ask);
  const path = join(whole.path, folder);
  if (!(await isFolder(path)))
    throw new AgentCompassError(
      "benchmark.data_missing",
      `benchmark.folder: there is no folder '${folder}' in ${source.repository} at ${commit} (looked at ${path})`,
    );
  const origin = {
    source: [source.repository, folder].filter((part) => part !== "").join("/"),
    commit,
    ...(whole.archive && { archive: whole.archive }),
  };
  return { path, origin };
}
