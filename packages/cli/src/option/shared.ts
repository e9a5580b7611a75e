import { LOG_LEVELS } from "@agentcompass/core/port";
import type { OptionDefinition } from "./definition.ts";
import { collect, decimal, integer, numberByKey, oneOf } from "./value.ts";

export const PROGRESS_MODES = ["auto", "plain", "none"] as const;
export type ProgressMode = (typeof PROGRESS_MODES)[number];

export const CONFIG_OPTION: OptionDefinition = {
  flags: "--config <path>",
  text: "One more config layer over the implicit ones; repeat for several, the last wins.",
  parse: collect,
};

/** A file of the user's own components, for every command that looks ids up. */
export const COMPONENT_OPTION: OptionDefinition = {
  flags: "--component <file>",
  text: "A TypeScript or JavaScript file with components of your own; repeat for several. It is trusted code.",
  parse: collect,
};

/** Options that `run` and `launch` share, where they do not depend on the command. */
export const RUNTIME_OPTIONS: readonly OptionDefinition[] = [
  {
    flags: "--task-concurrency <count>",
    text: "Attempts that run at the same time. Default execution.task_concurrency of the config, else 32.",
    parse: integer("--task-concurrency"),
  },
  { flags: "--results-dir <path>", field: "runtime.results_dir" },
  { flags: "--data-dir <path>", field: "runtime.data_dir" },
  {
    flags: "--provider-limit <provider=count>",
    field: "runtime.provider_limits",
    parse: numberByKey("--provider-limit", integer),
  },
  {
    flags: "--env-open-qps <provider=rate>",
    field: "runtime.env_open_qps",
    parse: numberByKey("--env-open-qps", decimal),
  },
  {
    flags: "--progress <mode>",
    field: "runtime.progress",
    parse: oneOf("--progress", PROGRESS_MODES),
  },
  {
    flags: "--log-level <level>",
    field: "runtime.log_level",
    parse: oneOf("--log-level", LOG_LEVELS, true),
  },
  {
    flags: "--file-log-level <level>",
    field: "runtime.file_log_level",
    parse: oneOf("--file-log-level", LOG_LEVELS, true),
  },
  {
    flags: "--auto-install-dependencies",
    field: "runtime.auto_install_dependencies",
  },
  { flags: "--no-auto-install-dependencies", text: "Never install anything." },
];

export const JSON_OPTION: OptionDefinition = {
  flags: "--json",
  text: "Print the whole result as JSON instead of a table.",
};
