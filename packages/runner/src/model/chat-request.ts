import type { ModelAsk } from "@agentcompass/core/plugin";
import type { ModelSpec, Params } from "@agentcompass/core/spec";

export type ChatRequest = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
};

/** The OpenAI clients' own limit for one request. */
const DEFAULT_TIMEOUT_MS = 600_000;

/**
 * One chat completion request: the model's parameters under the call's, each sent as it is and none that was not set.
 * `extra_body`, `extra_headers`, `extra_query` and `timeout` (seconds) mean what they mean to OpenAI's Python client,
 * for which specs of AgentCompass were written. Answers are never streamed.
 */
export function chatRequest(spec: ModelSpec, ask: ModelAsk): ChatRequest {
  const params: Params = { ...spec.params, ...ask.params };
  const { extra_body, extra_headers, extra_query, timeout, stream: _, stream_options: __, ...sent } = params;
  const tools = ask.tools && ask.tools.length > 0 ? { tools: ask.tools } : {};
  return {
    body: { ...withoutNull(sent), ...tools, ...fields(extra_body), model: spec.id, messages: ask.messages },
    headers: Object.fromEntries(Object.entries(fields(extra_headers)).map(([name, value]) => [name, String(value)])),
    query: fields(extra_query),
    timeoutMs: ask.timeoutMs ?? (typeof timeout === "number" && timeout > 0 ? timeout * 1000 : DEFAULT_TIMEOUT_MS),
  };
}

/** In YAML an empty value is null and means "not set"; endpoints refuse it. */
function withoutNull(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== undefined));
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
