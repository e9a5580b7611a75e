import { describe, expect, it } from "vitest";
import { isContextOverflow } from "./refusal.ts";
import { unsupportedParameter } from "./unsupported-parameter.ts";

describe("a refusal because of too long a conversation", () => {
  it.each([
    ["OpenAI's code", 400, "no", "context_length_exceeded"],
    ["OpenAI", 400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.", null],
    [
      "OpenAI's newer text",
      400,
      "Your input exceeds the context window of this model. Please adjust your input.",
      null,
    ],
    ["Anthropic", 400, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error"],
    [
      "Anthropic with its limit",
      400,
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
      null,
    ],
    [
      "vLLM",
      400,
      "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
      "BadRequestError",
    ],
    ["llama.cpp", 400, "the request exceeds the available context size (4096 tokens)", "exceed_context_size_error"],
    ["an older llama.cpp", 500, "the request exceeds the available context size. try increasing it", "server_error"],
    ["TGI", 422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192", "validation"],
    [
      "LM Studio",
      400,
      "The number of tokens to keep from the initial prompt is greater than the context length.",
      null,
    ],
    ["Gemini", 400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", null],
    ["Mistral", 400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length", null],
    ["Bedrock", 400, "Input is too long for requested model.", "ValidationException"],
  ])("is told from what %s says", (_who, status, text, code) => {
    expect(isContextOverflow({ status, text, code })).toBe(true);
  });

  it.each([
    [
      "a limit by time",
      429,
      "Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000.",
      "tokens",
    ],
    ["a limit by time that names the length", 429, "maximum context length of your tier exceeded", null],
    ["a missing model", 404, "The model `long-context-window` does not exist", "model_not_found"],
    ["a parameter", 400, "Unsupported parameter: 'max_tokens'", "unsupported_parameter"],
    ["a broken body", 400, "Invalid JSON in the context of field messages", null],
    ["an account", 402, "prompt is too long for your credit", null],
    ["a failing server", 500, "internal error", "server_error"],
  ])("is not %s", (_what, status, text, code) => {
    expect(isContextOverflow({ status, text, code })).toBe(false);
  });
});

describe("a refused parameter", () => {
  const SENT = new Map([
    ["max_output_tokens", "max_tokens"],
    ["temperature", "temperature"],
    ["seed", "seed"],
    ["stop", "stop"],
    ["presence_penalty", "presence_penalty"],
    ["reasoning.effort", "reasoning_effort"],
    ["top_k", "top_k"],
  ]);

  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
      "max_tokens",
    ],
    ["Unsupported parameter: 'max_output_tokens' is not supported with this model.", "max_tokens"],
    ["Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is.", "temperature"],
    ["Unknown parameter: 'seed'.", "seed"],
    ["Unrecognized request argument supplied: top_k", "top_k"],
    ["seed: Extra inputs are not permitted", "seed"],
    ["`temperature` may only be set to 1 when thinking is enabled; other values are not supported", "temperature"],
    ["[{'type': 'extra_forbidden', 'loc': ('body', 'top_k'), 'msg': 'Extra inputs are not permitted'}]", "top_k"],
    ["Model grok does not support parameter presencePenalty.", "presence_penalty"],
    ["Argument not supported on this model: stop", "stop"],
    ['Invalid JSON payload received. Unknown name "seed": Cannot find field.', "seed"],
    ["Unsupported parameter: 'reasoning.effort' is not supported with this model.", "reasoning_effort"],
    ["invalid temperature: only 1 is allowed for this model", "temperature"],
  ])("is named by %j", (text, parameter) => {
    expect(unsupportedParameter({ status: 400, text, code: null, parameter: null }, SENT)).toBe(parameter);
  });

  it("is the one that the endpoint names apart, whatever its text speaks of", () => {
    const refusal = { status: 400, text: "seed or not: no", code: "unsupported_value", parameter: "temperature" };
    expect(unsupportedParameter(refusal, SENT)).toBe("temperature");
  });

  it.each([
    ["a value out of range", 400, "temperature must be between 0 and 2"],
    ["a parameter that was not sent", 400, "Unsupported parameter: 'logit_bias' is not supported"],
    ["an ordinary word", 400, "This model is not supported; stop using it"],
    ["a missing model", 404, "seed is not supported"],
    ["a broken conversation", 400, "messages: roles must alternate"],
  ])("is not %s", (_what, status, text) => {
    expect(unsupportedParameter({ status, text, code: null, parameter: null }, SENT)).toBeUndefined();
  });
});
