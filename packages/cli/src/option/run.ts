import type { OptionDefinition } from "./definition.ts";
import { COMPONENT_OPTION, CONFIG_OPTION, JSON_OPTION, RUNTIME_OPTIONS } from "./shared.ts";
import { collect, integer, jsonObject, jsonTextList, oneOf, onlyOnce, protocols } from "./value.ts";

function params(option: string, text: string): OptionDefinition {
  return { flags: `${option} <json>`, text, parse: jsonObject(option) };
}

const WHAT: readonly OptionDefinition[] = [
  { flags: "--benchmark <id>", text: "The benchmark, instead of the first argument." },
  { flags: "--harness <id>", text: "The harness, instead of the second argument." },
  { flags: "--model <id>", text: "The model, instead of the third argument." },
  CONFIG_OPTION,
  COMPONENT_OPTION,
  { flags: "--env <id>", text: "Environment that tasks run in. Default host_process." },
  params("--benchmark-params", "Benchmark parameters, over those of the config."),
  params("--harness-params", "Harness parameters, over those of the config."),
  params("--env-params", "Environment parameters, over those of the config."),
  params("--model-params", "Model parameters, sent with every call."),
  params("--analysis-params", "Analysis parameters; replaces those of the config as a whole."),
  params("--execution-params", "Execution fields, over the `execution` section of the config."),
];

const MODEL: readonly OptionDefinition[] = [
  { flags: "--model-base-url <url>", field: "model.base_url" },
  {
    flags: "--model-api-key <key>",
    field: "model.api_key",
  },
  { flags: "--wrap-api-key", field: "model.wrap_api_key" },
  { flags: "--no-wrap-api-key", text: "Send the key as it is." },
  {
    flags: "--model-api-protocol <protocol>",
    field: "model.api_protocol",
    parse: protocols("--model-api-protocol"),
  },
];

const ATTEMPTS: readonly OptionDefinition[] = [
  { flags: "--k <count>", field: "attempts.k", parse: integer("--k") },
  {
    flags: "--attempt-strategy <strategy>",
    field: "attempts.strategy",
    parse: oneOf("--attempt-strategy", ["avg", "pass"]),
  },
  {
    flags: "--max-retries <count>",
    field: "execution.max_retries",
    parse: integer("--max-retries"),
  },
  {
    flags: "--retry-pattern-list <json>",
    field: "execution.retry_pattern_list",
    parse: jsonTextList("--retry-pattern-list"),
  },
  { flags: "--recipe <id>", text: "Try this recipe alone; repeat for several. Default: all.", parse: collect },
  {
    flags: "--recipe-dir <path>",
    text: "Folder of recipe files, instead of the config's; repeat for several. They are trusted code.",
    parse: collect,
  },
];

const OUTPUT: readonly OptionDefinition[] = [
  { flags: "--run-name <path>", field: "output.run_name" },
  { flags: "--run-id <id>", field: "output.run_id" },
  {
    flags: "--reuse [id]",
    text: "Take over the finished tasks of the newest run, or of the run with this id.",
    parse: onlyOnce("--reuse"),
  },
  { flags: "--no-checkpoint-resume", text: "Do not resume an attempt from its evaluation checkpoint." },
  {
    flags: "--timeout-seconds <seconds>",
    field: "runtime.timeout_seconds",
    parse: integer("--timeout-seconds"),
  },
];

const SWITCHES: readonly OptionDefinition[] = [
  { flags: "--keep-environment", field: "execution.keep_environment" },
  { flags: "--no-keep-environment", text: "Close environments when a task ends." },
  { flags: "--enable-analysis", field: "execution.enable_analysis" },
  { flags: "--no-enable-analysis", text: "Skip the analysis." },
];

/** The options of `run`, in the order of its help. */
export const RUN_OPTIONS: readonly OptionDefinition[] = [
  ...WHAT,
  ...MODEL,
  ...ATTEMPTS,
  ...OUTPUT,
  ...RUNTIME_OPTIONS,
  ...SWITCHES,
  JSON_OPTION,
];
