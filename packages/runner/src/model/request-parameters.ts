import type { ModelAsk } from "@agentcompass/core/plugin";
import type { ModelSpec, Params } from "@agentcompass/core/spec";
import { type Fields, fieldsOf } from "./fields.ts";

/** The clients' own limit for one request. */
const DEFAULT_TIMEOUT_MS = 600_000;

/** The parameters of one call by what becomes of them. */
export type RequestParameters = {
  /** Sent in the body. */
  readonly sent: Fields;
  /** Put into the body as it is, over all else but the conversation. */
  readonly extraBody: Fields;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly timeoutMs: number;
};

/**
 * The model's parameters under the call's, each as it is and none that was not set. `extra_body`, `extra_headers`,
 * `extra_query` and `timeout` (seconds) mean what they mean to OpenAI's Python client, for which specs of AgentCompass were
 * written. Answers are never streamed.
 */
export function requestParameters(spec: ModelSpec, ask: ModelAsk): RequestParameters {
  const params: Params = { ...spec.params, ...ask.params };
  const { extra_body, extra_headers, extra_query, timeout, stream: _, stream_options: __, ...sent } = params;
  const headers = Object.entries(fieldsOf(extra_headers)).map(([name, value]) => [name, String(value)]);
  return {
    sent: withoutNull(sent),
    extraBody: fieldsOf(extra_body),
    headers: Object.fromEntries(headers),
    query: fieldsOf(extra_query),
    timeoutMs: ask.timeoutMs ?? (typeof timeout === "number" && timeout > 0 ? timeout * 1000 : DEFAULT_TIMEOUT_MS),
  };
}

/** In YAML an empty value is null and means "not set"; endpoints refuse it. */
function withoutNull(params: Params): Fields {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * What each parameter of a body is called where the user wrote it. `renamed` says what a protocol calls a parameter of the
 * chat form.
 */
export function parameterNames(
  { sent, extraBody }: RequestParameters,
  renamed: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const names = [...Object.keys(sent), ...Object.keys(extraBody)];
  return new Map(names.map((name) => [renamed[name] ?? name, name]));
}
