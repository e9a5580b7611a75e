import { join } from "node:path";
import { StageFailure, type TaskAsk } from "@agentcompass/core/plugin";
import { layoutOf } from "./layout.ts";
import { outputTail, runScript } from "./run-script.ts";
import { isFile } from "./task-folder.ts";
import { HarborMetadata } from "./task-spec.ts";

/** Runs a task's own solution in the session, and takes it away again. */
export async function solveHarborTask(ask: TaskAsk): Promise<null> {
  const { session, task } = ask;
  const metadata = HarborMetadata.parse(task.metadata);
  const local = join(metadata.sample_dir, "solution");
  if (!(await isFile(join(local, "solve.sh"))))
    throw new StageFailure("error", "reference_missing", `task ${task.task_id} has no solution/solve.sh`);
  const layout = layoutOf(session, metadata.owns_filesystem);
  try {
    const result = await runScript({
      session,
      layout,
      local,
      remote: layout.solution,
      script: "solve.sh",
      env: metadata.solution_env,
      signal: ask.signal,
    });
    ask.signal.throwIfAborted();
    if (result.returncode === 0) return null;
    const said = outputTail(result).split("\n").at(-1);
    throw new StageFailure("error", "reference_failed", `solve.sh ended with status ${result.returncode}: ${said}`);
  } finally {
    await session.remove(layout.solution);
  }
}
