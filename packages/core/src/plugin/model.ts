import type { Params } from "../spec/resolved.ts";

export type ChatMessage = {
  readonly role: "system" | "user" | "assistant" | "tool" | "developer";
  readonly content: string | readonly unknown[] | null;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
  readonly reasoning_content?: string;
  /** What the provider itself sent for this assistant turn; sent back instead of the other fields where the protocol is the same. */
  readonly provider_items?: ProviderItems;
};

/**
 * An assistant turn in the provider's own form. Reasoning that must come back in the next request (thinking blocks with
 * their signatures, encrypted reasoning) exists in no other. Opaque: keep it or drop it, but do not change it.
 */
export type ProviderItems = { readonly protocol: string; readonly items: readonly unknown[] };

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
  /** Prompt tokens written to a cache; absent where the endpoint does not say. */
  readonly cache_write_tokens?: number;
  /** 0 when `cost_source` is unknown. */
  readonly cost_usd: number;
  /** Absent: endpoint when `cost_usd` is above 0, else unknown. */
  readonly cost_source?: CostSource;
};

/** Who says what a call cost: the endpoint in its answer, the configured prices, or nobody. */
export type CostSource = "endpoint" | "prices" | "unknown";

export type ModelAnswer = {
  readonly content: string;
  readonly reasoning_content: string | null;
  readonly tool_calls: readonly ToolCall[] | null;
  readonly stop_reason: string | null;
  readonly usage: ModelUsage;
  /** The model id that the endpoint named in its answer; null when it named none. */
  readonly returned_model: string | null;
  readonly latency_ms: number;
  readonly provider_items?: ProviderItems;
};

/** The answer as a message of the conversation, for the next request. */
export function assistantMessage(answer: ModelAnswer): ChatMessage {
  return {
    role: "assistant",
    content: answer.content,
    ...(answer.tool_calls && { tool_calls: answer.tool_calls }),
    ...(answer.provider_items && { provider_items: answer.provider_items }),
  };
}

/**
 * A model behind one protocol. `complete` sends one request (with the client's own two retries on connection errors,
 * 408, 409, 429 and 5xx, as the openai package does) and throws ModelFailure or the signal's reason.
 */
export interface Model {
  complete(ask: ModelAsk): Promise<ModelAnswer>;
}

export type ModelFailureReason = "status" | "connection" | "timeout" | "protocol";

/** The code of the issue that a failed call becomes. */
export type ModelFailureCode =
  | "model_failed"
  | "model_timeout"
  | "model_parameter_unsupported"
  | "model_context_overflow";

/** A model call that gave no answer. core grades it (attempt/grade.ts): nothing else decides its severity. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly reason: ModelFailureReason;
  readonly code: ModelFailureCode;
  /** HTTP status when the endpoint answered. */
  readonly status: number | null;
  /** The endpoint's Retry-After in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: ModelFailureReason,
    message: string,
    options: { code?: ModelFailureCode; status?: number; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.code = options.code ?? (reason === "timeout" ? "model_timeout" : "model_failed");
    this.status = options.status ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
