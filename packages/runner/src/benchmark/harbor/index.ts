import { readdir } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import type { Benchmark, LoadAsk, PreparedTask, TaskAsk } from "@agentcompass/core/plugin";
import { parseParams } from "../params.ts";
import { CORRECT } from "../text-task.ts";
import { evaluateHarborTask } from "./evaluate.ts";
import { type HarborSource, loadHarborTasks } from "./load.ts";
import { HarborParams } from "./params.ts";
import { solveHarborTask } from "./solve.ts";
import { HarborMetadata } from "./task-spec.ts";

const BUILD_FILES = new Set(["Dockerfile", ".dockerignore", "docker-compose.yaml", "docker-compose.yml"]);

export type HarborOptions = {
  readonly id: string;
  /** Finds the folder of the tasks; throws AgentCompassError when it cannot. */
  readonly locate: (ask: LoadAsk) => Promise<Omit<HarborSource, "carriesFiles">>;
  /** Whether the task's files (environment/) go into the working directory also where an image should hold them. */
  readonly carriesFiles?: boolean;
};

/** A benchmark over tasks in the Harbor format (instruction.md, task.toml, tests/test.sh, solution/solve.sh). */
export function createHarborBenchmark(options: HarborOptions): Benchmark {
  return {
    id: options.id,
    metrics: CORRECT,
    answer: "workspace",
    evaluationEnvironmentMode: "reuse",
    parallelAttemptsSafe: true,
    evaluationTimeoutMetrics: { correct: false },
    doLoad: async (ask) => {
      const source = await options.locate(ask);
      return loadHarborTasks({ ...source, carriesFiles: options.carriesFiles ?? false }, ask);
    },
    doPrepare: (ask) => prepare(ask, options.carriesFiles ?? false),
    doSolve: solveHarborTask,
    doEvaluate: evaluateHarborTask,
  };
}

/** `harbor`: any folder of such tasks, by the parameter `path`, or a git repository at a commit. */
export const harbor: Benchmark = createHarborBenchmark({
  id: "harbor",
  locate: async (ask) => {
    const params = parseParams(HarborParams, ask.params);
    if (params.path !== undefined) return { path: resolve(params.path), params };
    // Imported here, since it brings an HTTP client and an archive reader that no folder needs.
    const { pinnedTasks } = await import("./pinned-tasks.ts");
    return { ...(await pinnedTasks(params, ask)), params };
  },
});

async function prepare(ask: TaskAsk, carriesFiles: boolean): Promise<PreparedTask> {
  const { task, session } = ask;
  const metadata = HarborMetadata.parse(task.metadata);
  if (carriesFiles || !metadata.owns_filesystem) await putFiles(ask, join(metadata.sample_dir, "environment"));
  return {
    task_id: task.task_id,
    category: task.category,
    ground_truth: task.ground_truth,
    input: {
      prompt: metadata.instruction,
      system_prompt: null,
      media: [],
      files: [],
      workspace: session.workdir,
      tools: [],
      messages: [],
    },
    output: { answer: null, files: [] },
    metadata: task.metadata,
  };
}

async function putFiles({ session }: TaskAsk, folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((entry) => !BUILD_FILES.has(entry)))
    await session.upload(join(folder, name), posix.join(session.workdir, name));
}
