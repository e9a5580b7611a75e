import type { OptionDefinition } from "./definition.ts";
import { CONFIG_OPTION, JSON_OPTION, RUNTIME_OPTIONS } from "./shared.ts";
import { decimal } from "./value.ts";

/** The options of `launch`, in the order of its help. */
export const LAUNCH_OPTIONS: readonly OptionDefinition[] = [
  CONFIG_OPTION,
  {
    flags: "--dry-run",
    text: "resolve the file, check its components and print the redacted result as YAML; touches no data, network or Docker",
  },
  { flags: "--no-dry-run", text: "run (the default)" },
  { flags: "--run-id <id>", text: "name of every request's own run directory" },
  {
    flags: "--reuse",
    text: "take over the finished tasks of each request's newest run, where its own runtime.reuse is not false",
  },
  { flags: "--no-reuse", text: "start afresh, where a request's own runtime.reuse is not true" },
  {
    flags: "--timeout-seconds <seconds>",
    text: "deadline of the whole orchestration after preflight; 0 is none (default: 360000)",
    parse: decimal("--timeout-seconds"),
  },
  {
    flags: "--cleanup-grace-seconds <seconds>",
    text: "time for everything to end after a deadline or an interruption (default: 30)",
    parse: decimal("--cleanup-grace-seconds"),
  },
  ...RUNTIME_OPTIONS,
  JSON_OPTION,
];
