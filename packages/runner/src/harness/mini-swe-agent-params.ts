import { z } from "zod";
import { sharedHarnessParams } from "./shared-params.ts";

/** The release whose behaviour the harness has. */
export const MINI_SWE_AGENT_VERSION = "2.4.5";

export const MiniSweAgentParams = z.strictObject({
  ...sharedHarnessParams,
  binary: z
    .string()
    .min(1)
    .default("mini")
    .describe("Program that launch mode remote starts in the environment; no effect on local."),
  version: z
    .string()
    .refine((version) => version === MINI_SWE_AGENT_VERSION, `must be ${MINI_SWE_AGENT_VERSION}: no other is built in`)
    .default(MINI_SWE_AGENT_VERSION)
    .describe("Version of mini-swe-agent; another one is refused."),
  launch_mode: z
    .enum(["local", "remote"])
    .refine((mode) => mode === "local", "launch mode remote comes with a later release; use local")
    .default("local")
    .describe(
      "local: the agent runs here and its commands in the environment. remote, both in the environment, is refused.",
    ),
  install_strategy: z
    .enum(["preinstalled", "install_if_missing", "upload"])
    .default("install_if_missing")
    .describe("How the program of launch mode remote gets into the environment; no effect on local."),
  install_command: z
    .string()
    .default("")
    .describe("Installs the program of launch mode remote; no effect on local, which installs nothing."),
  step_limit: z
    .number()
    .int()
    .min(0)
    .default(250)
    .describe("Model calls before the run ends with harness_max_iterations; 0 is no limit."),
  cost_limit: z
    .number()
    .min(0)
    .default(3)
    .describe("US dollars before the run ends with harness_limit_reached; 0 is no limit."),
  cost_tracking: z
    .enum(["ignore_errors", "default"])
    .default("ignore_errors")
    .describe("A call whose cost is not known: ignore_errors counts it as 0, default fails the task."),
  interleaved_thinking: z
    .boolean()
    .default(false)
    .describe("Send the model's earlier reasoning back with its replies."),
  command_timeout: z
    .number()
    .positive()
    .nullable()
    .default(2400)
    .describe("Seconds for one command of the agent; null is no limit but the run's own."),
  artifact_dir: z
    .string()
    .default("")
    .describe(
      "Directory in the environment for a file with the agent's trajectory, relative to the workspace; empty writes none.",
    ),
});
export type MiniSweAgentParams = z.infer<typeof MiniSweAgentParams>;
