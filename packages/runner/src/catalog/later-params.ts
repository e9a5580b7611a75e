import { z } from "zod";
import { COMMON_PARAMS } from "../benchmark/params.ts";

/** Of the benchmarks terminal_bench_2, terminal_bench_2_1 and terminal_bench_2_verified. */
export const TerminalBenchParams = z.strictObject({
  repo_url: z
    .string()
    .default("")
    .describe("Where the tasks are taken from when the data directory has none; empty is the benchmark's own source."),
  ...COMMON_PARAMS,
});

export const SwebenchVerifiedParams = z.strictObject({
  prepare_mode: z
    .enum(["git_clone", "prebaked"])
    .default("git_clone")
    .describe("git_clone makes the repository in the environment; prebaked takes the one that the image holds."),
  workspace_root: z
    .string()
    .refine((path) => path.startsWith("/") && !path.split("/").includes(".."), "must be an absolute path without ..")
    .default("/testbed")
    .describe("Absolute folder in the environment for the workspaces of tasks."),
  dataset_zip_url: z.string().default("").describe("Address of a ZIP of the data set; empty is the published one."),
  repo_url_template: z
    .string()
    .default("https://github.com/{repo}.git")
    .describe("Address that a repository is cloned from; {repo} stands for its owner and name."),
  ...COMMON_PARAMS,
});
