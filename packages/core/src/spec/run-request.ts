import { AgentCompassError } from "../error.ts";
import { dropUndefined } from "./drop-undefined.ts";
import { deepMerge } from "./merge.ts";
import { refuse, shown } from "./validate.ts";

/** Options of one evaluation in the spelling of reference 1.5; absent ones are undefined. */
export type RunOptions = Readonly<Record<string, unknown>>;

/** A single run as an orchestration of one request; `execution` layers over the configuration like a file's. */
export type RunOrchestration = { readonly value: object; readonly run: true; readonly analysisParams?: unknown };

const EXECUTION_OPTIONS = [
  "max_retries",
  "retry_pattern_list",
  "enabled_recipes",
  "keep_environment",
  "enable_analysis",
];

/** Turns the options of `run` and runEvaluation into an orchestration that the same resolver takes. */
export function orchestrationFromRun(options: RunOptions): RunOrchestration {
  const section = (id: unknown, params: unknown): object => ({ ...(params as object | undefined), id });
  const given = (options["execution_params"] ?? {}) as Readonly<Record<string, unknown>>;
  const attempts = dropUndefined({ k: options["k"], strategy: options["attempt_strategy"] });
  const execution = {
    ...given,
    ...dropUndefined(Object.fromEntries(EXECUTION_OPTIONS.map((name) => [name, options[name]]))),
    ...(Object.keys(attempts).length > 0 && { attempts: deepMerge(given["attempts"], attempts) }),
  };
  const request = {
    name: "run",
    benchmark: section(options["benchmark"], options["benchmark_params"]),
    harness: section(options["harness"], options["harness_params"]),
    environment: section(options["environment"] ?? "host_process", options["environment_params"]),
    model: dropUndefined({
      id: options["model"],
      base_url: options["model_base_url"],
      api_key: options["model_api_key"],
      api_protocol: protocols(options["model_api_protocol"]),
      params: options["model_params"],
      wrap_api_key: options["wrap_api_key"],
    }),
    execution,
    runtime: dropUndefined({
      reuse: options["reuse"],
      reuse_run_id: options["reuse_run_id"],
      checkpoint_resume: options["checkpoint_resume"],
    }),
    output: dropUndefined({ run_name: options["run_name"], run_id: options["run_id"] }),
  };
  const analysis = options["analysis_params"];
  return { value: { requests: [request] }, run: true, ...(analysis !== undefined && { analysisParams: analysis }) };
}

/** A protocol, a list, or the JSON text of a list, as the command line takes it. */
function protocols(value: unknown): unknown {
  if (typeof value !== "string" || !value.trim().startsWith("[")) return checkedList(value);
  try {
    return checkedList(JSON.parse(value));
  } catch (error) {
    if (AgentCompassError.isInstance(error)) throw error;
    throw refuse(PROTOCOL, `begins like a list but is no JSON list of names: ${shown(value)}`);
  }
}

const PROTOCOL = { path: "model.api_protocol" };

function checkedList(value: unknown): unknown {
  if (Array.isArray(value) && !value.some((name) => typeof name === "string" && name.trim() !== ""))
    throw refuse(PROTOCOL, "the list is empty; name at least one protocol, or auto instead of a list");
  return value;
}
