import type { OptionDefinition } from "./definition.ts";
import { CONFIG_OPTION, JSON_OPTION, RUNTIME_OPTIONS } from "./shared.ts";
import { collect, integer, jsonObject, jsonTextList, oneOf, onlyOnce, protocols } from "./value.ts";

function params(option: string, text: string): OptionDefinition {
  return { flags: `${option} <json>`, text, parse: jsonObject(option) };
}

const WHAT: readonly OptionDefinition[] = [
  { flags: "--benchmark <id>", text: "the benchmark, instead of the first argument" },
  { flags: "--harness <id>", text: "the harness, instead of the second argument" },
  { flags: "--model <id>", text: "the model, instead of the third argument" },
  CONFIG_OPTION,
  { flags: "--env <id>", text: "environment that tasks run in (default: host_process)" },
  params("--benchmark-params", "benchmark parameters, over those of the config"),
  params("--harness-params", "harness parameters, over those of the config"),
  params("--env-params", "environment parameters, over those of the config"),
  params("--model-params", "model parameters, sent with every call"),
  params("--analysis-params", "analysis parameters; replaces those of the config as a whole"),
  params("--execution-params", "execution fields, over the `execution` section of the config"),
];

const MODEL: readonly OptionDefinition[] = [
  { flags: "--model-base-url <url>", text: `the model's endpoint, or a whole \${VAR} reference` },
  {
    flags: "--model-api-key <key>",
    text: `the endpoint's key; better a whole \${VAR} reference, which keeps it out of your history`,
  },
  { flags: "--wrap-api-key", text: "wrap the key with task facts for a gateway (default: no)" },
  { flags: "--no-wrap-api-key", text: "send the key as it is" },
  {
    flags: "--model-api-protocol <protocol>",
    text: "a protocol, `auto`, or a JSON list of protocols in order of preference",
    parse: protocols("--model-api-protocol"),
  },
];

const ATTEMPTS: readonly OptionDefinition[] = [
  { flags: "--k <count>", text: "attempts per task (default: 1)", parse: integer("--k") },
  {
    flags: "--attempt-strategy <strategy>",
    text: "avg: mean of all attempts; pass: until one succeeds (default: avg)",
    parse: oneOf("--attempt-strategy", ["avg", "pass"]),
  },
  {
    flags: "--max-retries <count>",
    text: "extra executions that an attempt may use after failures (default: 0)",
    parse: integer("--max-retries"),
  },
  {
    flags: "--retry-pattern-list <json>",
    text: "regular expressions of the failures to retry (default: all fatal ones)",
    parse: jsonTextList("--retry-pattern-list"),
  },
  { flags: "--recipe <id>", text: "restrict to this recipe; comes with a later release", parse: collect },
  { flags: "--recipe-dir <path>", text: "directory of recipes; comes with a later release", parse: collect },
];

const OUTPUT: readonly OptionDefinition[] = [
  { flags: "--run-name <path>", text: "directory levels between the results directory and the run" },
  { flags: "--run-id <id>", text: "name of the run's own directory, which must not exist (default: the time)" },
  {
    flags: "--reuse [id]",
    text: "take over the finished tasks of the newest run, or of the run with this id",
    parse: onlyOnce("--reuse"),
  },
  { flags: "--no-checkpoint-resume", text: "do not resume an attempt from its evaluation checkpoint" },
  {
    flags: "--timeout-seconds <seconds>",
    text: "deadline of the whole run; 0 is none (default: 360000)",
    parse: integer("--timeout-seconds"),
  },
];

const SWITCHES: readonly OptionDefinition[] = [
  { flags: "--keep-environment", text: "leave environments as they are when a task ends (default: no)" },
  { flags: "--no-keep-environment", text: "close environments when a task ends" },
  { flags: "--enable-analysis", text: "analyze the results (default: yes; no analyzer is installed yet)" },
  { flags: "--no-enable-analysis", text: "skip the analysis" },
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
