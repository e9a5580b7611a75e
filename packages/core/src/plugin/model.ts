import type { Params } from "../spec/resolved.ts";

export type ChatMessage = {
  readonly role: "system" | "user" | "assistant" | "tool" | "developer";
  readonly content: string | readonly unknown[] | null;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
  readonly reasoning_content?: string;
};

export type ToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

export type ModelAsk = {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
  /** Sampling and provider parameters, sent as they are over the model's own. */
  readonly params?: Params;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type ModelUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Prompt tokens served from a cache. */
  readonly cache_tokens: number;
  /** Part of completion_tokens spent on reasoning; null when the endpoint does not say. */
  readonly reasoning_tokens: number | null;
  readonly cost_usd: number;
};

export type ModelAnswer = {
  readonly content: string;
  readonly reasoning_content: string | null;
  readonly tool_calls: readonly ToolCall[] | null;
  readonly stop_reason: string | null;
  readonly usage: ModelUsage;
  /** The model id that the endpoint named in its answer; null when it named none. */
  readonly returned_model: string | null;
  readonly latency_ms: number;
};

/**
 * A model behind one protocol. `complete` sends one request (with the client's own two retries on connection errors,
 * 408, 409, 429 and 5xx, as the openai package does) and throws ModelFailure or the signal's reason.
 */
export interface Model {
  complete(ask: ModelAsk): Promise<ModelAnswer>;
}

export type ModelFailureReason = "status" | "connection" | "timeout" | "protocol";

/** A model call that gave no answer. core grades it (attempt/grade.ts): nothing else decides its severity. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly reason: ModelFailureReason;
  /** HTTP status when the endpoint answered. */
  readonly status: number | null;
  /** The endpoint's Retry-After in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: ModelFailureReason,
    message: string,
    options: { status?: number; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.status = options.status ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
