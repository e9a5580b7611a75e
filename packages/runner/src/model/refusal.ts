import type { ModelFailureCode } from "@agentcompass/core/plugin";

/** What an endpoint said when it refused a request. */
export type Refusal = {
  readonly status: number;
  readonly text: string;
  /** The endpoint's own code or type of the error. */
  readonly code: string | null;
};

const OVERFLOW_CODES = new Set([
  "context_length_exceeded",
  "exceed_context_size_error",
  "model_max_prompt_tokens_exceeded",
]);

/** As OpenAI, Anthropic, vLLM, llama.cpp, TGI, LM Studio, Gemini, Mistral and gateways before them say it. */
const OVERFLOW = [
  /context[_ -]?length[_ -]?exceeded/i,
  /maximum (?:context|model|input|sequence|prompt) (?:length|size)/i,
  /prompt is too long/i,
  /input is too long/i,
  /(?:exceed\w{0,5}|larger|longer|greater|more|over|beyond)\b.{0,60}\bcontext (?:size|window|length|limit)/i,
  /context (?:size|window|length|limit)\b.{0,40}\b(?:exceed|is full|too (?:small|long))/i,
  /input token count.{0,40}exceeds/i,
  /`inputs` tokens \+ `max_new_tokens` must be/i,
  /exceeds? (?:the )?max_model_len/i,
];

/** 429 is a limit on tokens by time, which passes; 401 to 404 say nothing about the conversation. */
const MAY_BE_OVERFLOW = new Set([400, 413, 422, 500, 502, 503]);

/** True when the conversation is longer than the model's context, whatever status says so. */
export function isContextOverflow({ status, text, code }: Refusal): boolean {
  if (!MAY_BE_OVERFLOW.has(status)) return false;
  return (code !== null && OVERFLOW_CODES.has(code)) || OVERFLOW.some((pattern) => pattern.test(text));
}

/** The code of a refusal that no further try would change; undefined for any other. */
export function refusalCode(refusal: Refusal): ModelFailureCode | undefined {
  return isContextOverflow(refusal) ? "model_context_overflow" : undefined;
}
