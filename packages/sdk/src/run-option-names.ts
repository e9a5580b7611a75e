import { AgentCompassError } from "@agentcompass/core";
import type { RunEvaluationOptions } from "./options.ts";

type Name = keyof RunEvaluationOptions;

/** Options of one evaluation by the path that they set, the more special before the one that can set the same. */
const OPTIONS: readonly (readonly [path: string, option: Name, flag: string])[] = [
  ["execution.attempts.k", "k", "--k"],
  ["execution.attempts.strategy", "attemptStrategy", "--attempt-strategy"],
  ["execution.max_retries", "maxRetries", "--max-retries"],
  ["execution.retry_pattern_list", "retryPatternList", "--retry-pattern-list"],
  ["execution.enabled_recipes", "enabledRecipes", "--recipe"],
  ["execution.keep_environment", "keepEnvironment", "--keep-environment"],
  ["execution.enable_analysis", "enableAnalysis", "--enable-analysis"],
  ["execution.analysis_params", "analysisParams", "--analysis-params"],
  ["execution", "executionParams", "--execution-params"],
  ["benchmark.id", "benchmark", "--benchmark"],
  ["benchmark", "benchmarkParams", "--benchmark-params"],
  ["harness.id", "harness", "--harness"],
  ["harness", "harnessParams", "--harness-params"],
  ["environment.id", "environment", "--env"],
  ["environment", "environmentParams", "--env-params"],
  ["model.id", "model", "--model"],
  ["model.base_url", "modelBaseUrl", "--model-base-url"],
  ["model.api_key", "modelApiKey", "--model-api-key"],
  ["model.wrap_api_key", "wrapApiKey", "--wrap-api-key"],
  ["model.api_protocol", "modelApiProtocol", "--model-api-protocol"],
  ["model", "modelParams", "--model-params"],
  ["output.run_name", "runName", "--run-name"],
  ["output.run_id", "runId", "--run-id"],
  ["runtime.reuse_run_id", "reuseRunId", "--reuse"],
  ["runtime.reuse", "reuse", "--reuse"],
  ["runtime.checkpoint_resume", "checkpointResume", "--no-checkpoint-resume"],
];

const PLACE = /^requests\[0\]\.?([^\s:]*)/;

/** A refusal of the one request that a user never wrote, with the option that set the field instead; anything else as it is. */
export function withOptionName(error: unknown, options: RunEvaluationOptions): unknown {
  if (!AgentCompassError.isInstance(error)) return error;
  const path = PLACE.exec(error.message)?.[1];
  if (path === undefined) return error;
  const option = OPTIONS.find(([of, name]) => isWithin(path, of) && options[name] !== undefined);
  const message = error.message.replace(PLACE, option ? `${option[2]} (${path})` : path || "run");
  return new AgentCompassError(error.code, message, {
    data: { ...error.data, path },
    retry: error.retry,
    cause: error,
  });
}

function isWithin(path: string, of: string): boolean {
  return path === of || path.startsWith(`${of}.`) || path.startsWith(`${of}[`);
}
