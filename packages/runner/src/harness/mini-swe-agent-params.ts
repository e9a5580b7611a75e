import { z } from "zod";
import { sharedHarnessParams } from "./shared-params.ts";

export const MiniSweAgentParams = z.strictObject({
  ...sharedHarnessParams,
  binary: z.string().min(1).default("mini").describe("Program that launch mode remote starts in the environment."),
  version: z.string().min(1).default("2.4.5").describe("Version of mini-swe-agent; another one is refused."),
  launch_mode: z
    .enum(["local", "remote"])
    .default("local")
    .describe("local: the agent runs here and its commands in the environment; remote: both in the environment."),
  install_strategy: z
    .enum(["preinstalled", "install_if_missing", "upload"])
    .default("install_if_missing")
    .describe("How the program of launch mode remote gets into the environment."),
  install_command: z.string().default("").describe("Installs the program; empty is pip with the pinned version."),
  step_limit: z.number().int().min(0).default(250).describe("Model calls before the run ends; 0 is no limit."),
  cost_limit: z.number().min(0).default(3).describe("US dollars before the run ends; 0 is no limit."),
  cost_tracking: z.string().default("ignore_errors").describe("What happens when a call's cost is not known."),
  interleaved_thinking: z.boolean().default(false).describe("Send earlier reasoning back to the model."),
  command_timeout: z
    .number()
    .positive()
    .nullable()
    .default(2400)
    .describe("Seconds for one command of the agent; null is no limit."),
  artifact_dir: z.string().default("").describe("Directory for the agent's own files; empty is chosen by the run."),
});
