import { LOG_LEVELS } from "@agentcompass/core/port";
import type { OptionDefinition } from "./definition.ts";
import { collect, decimal, integer, numberByKey, oneOf } from "./value.ts";

export const PROGRESS_MODES = ["auto", "plain", "none"] as const;
export type ProgressMode = (typeof PROGRESS_MODES)[number];

export const CONFIG_OPTION: OptionDefinition = {
  flags: "--config <path>",
  text: "one more config layer over the implicit ones; repeat for several, the last wins",
  parse: collect,
};

/** Options that `run` and `launch` share, where they do not depend on the command. */
export const RUNTIME_OPTIONS: readonly OptionDefinition[] = [
  {
    flags: "--task-concurrency <count>",
    text: "attempts that run at the same time (default: execution.task_concurrency of the config, else 32)",
    parse: integer("--task-concurrency"),
  },
  { flags: "--results-dir <path>", text: "where results are written (default: results)" },
  { flags: "--data-dir <path>", text: "where benchmarks look for their data (default: data)" },
  {
    flags: "--provider-limit <provider=count>",
    text: "environments of a provider that may run at once; 0 is no limit; repeatable (default: 128 each)",
    parse: numberByKey("--provider-limit", integer),
  },
  {
    flags: "--env-open-qps <provider=rate>",
    text: "environments of a provider opened per second; 0 is no pacing; repeatable",
    parse: numberByKey("--env-open-qps", decimal),
  },
  {
    flags: "--progress <mode>",
    text: "auto: a live panel on a terminal, lines elsewhere; plain: lines; none (default: auto)",
    parse: oneOf("--progress", PROGRESS_MODES),
  },
  {
    flags: "--log-level <level>",
    text: "least severe log line on stderr: DEBUG, INFO, WARNING, ERROR or CRITICAL (default: INFO)",
    parse: oneOf("--log-level", LOG_LEVELS, true),
  },
  {
    flags: "--file-log-level <level>",
    text: "the same for run.log in the results (default: DEBUG)",
    parse: oneOf("--file-log-level", LOG_LEVELS, true),
  },
  {
    flags: "--auto-install-dependencies",
    text: "let components install what they need (default: AGENTCOMPASS_AUTO_INSTALL_DEPENDENCIES, else the config, else no)",
  },
  { flags: "--no-auto-install-dependencies", text: "never install anything" },
];

export const JSON_OPTION: OptionDefinition = {
  flags: "--json",
  text: "print the whole result as JSON instead of a table",
};
