import type { OptionDefinition } from "./definition.ts";
import { COMPONENT_OPTION, CONFIG_OPTION, JSON_OPTION, RUNTIME_OPTIONS } from "./shared.ts";
import { decimal } from "./value.ts";

/** The options of `launch`, in the order of its help. */
export const LAUNCH_OPTIONS: readonly OptionDefinition[] = [
  CONFIG_OPTION,
  COMPONENT_OPTION,
  {
    flags: "--dry-run",
    text: "Resolve the file, check its components and print the redacted result as YAML; touches no data, network or Docker.",
  },
  { flags: "--no-dry-run", text: "Run. The default." },
  { flags: "--run-id <id>", text: "Name of every request's own run directory." },
  {
    flags: "--reuse",
    text: "Take over the finished tasks of each request's newest run, where its own runtime.reuse is not false.",
  },
  { flags: "--no-reuse", text: "Start afresh, where a request's own runtime.reuse is not true." },
  {
    flags: "--timeout-seconds <seconds>",
    field: "runtime.timeout_seconds",
    parse: decimal("--timeout-seconds"),
  },
  {
    flags: "--cleanup-grace-seconds <seconds>",
    field: "runtime.cleanup_grace_seconds",
    parse: decimal("--cleanup-grace-seconds"),
  },
  ...RUNTIME_OPTIONS,
  JSON_OPTION,
];
