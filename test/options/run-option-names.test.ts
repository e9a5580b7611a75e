import type { RunEvaluationOptions } from "@agentcompass/sdk";
import { describe, expect, it } from "vitest";
import { createPlace, refused } from "./place.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types may give
type Wrong = any;

const WRONG: readonly (readonly [keyof RunEvaluationOptions, Wrong, string])[] = [
  ["k", 0, "--k (execution.attempts.k)"],
  ["attemptStrategy", "most", "--attempt-strategy (execution.attempts.strategy)"],
  ["maxRetries", "x", "--max-retries (execution.max_retries)"],
  ["retryPatternList", ["("], "--retry-pattern-list (execution.retry_pattern_list)"],
  ["executionParams", { attempts: { k: 0 } }, "--execution-params (execution.attempts.k)"],
  ["executionParams", { fatal_task_limt: 0 }, "--execution-params (execution)"],
  ["benchmark", "startr", "--benchmark (benchmark.id)"],
  ["harness", "orakel", "--harness (harness.id)"],
  ["environment", "host", "--env (environment.id)"],
  ["environmentParams", { resources: { cpu: "x" } }, "--env-params (environment.resources.cpu"],
  ["modelApiProtocol", "rpc", "--model-api-protocol (model.api_protocol)"],
  ["modelParams", [], "--model-params (model.params)"],
  ["keepEnvironment", "x", "--keep-environment (execution.keep_environment)"],
];

describe("a wrong option of one evaluation", () => {
  it.each(WRONG)("is refused by the name of %s: %j", async (option, value, name) => {
    const place = await createPlace();
    const message = await refused(place.run({ [option]: value }));
    expect(message).toContain(`: ${name}`);
    expect(message).not.toContain("requests[");
  });
});
