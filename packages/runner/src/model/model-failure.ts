import { errorText } from "@agentcompass/core";
import { ModelFailure } from "@agentcompass/core/plugin";
import type { EndpointClient } from "./endpoint-client.ts";
import { redactLine } from "./redact.ts";
import { refusalCode } from "./refusal.ts";
import type { RefusalBody } from "./refusal-body.ts";
import { retryAfterMs } from "./transport.ts";
import { unsupportedParameter } from "./unsupported-parameter.ts";

export type CallFacts = {
  readonly errors: EndpointClient["errors"];
  /** As the user knows it; may hold credentials, which are not shown. */
  readonly address: string;
  readonly secrets: readonly string[];
  /** Where requests go, without a query. */
  readonly called: string;
  /** Time given to one HTTP request. */
  readonly timeoutMs: number;
  /** Of the request, by their name in it: what the user calls them. */
  readonly parameters: ReadonlyMap<string, string>;
  /** True for a parameter that stands in the model's own `params`. */
  readonly isOfModel: (parameter: string) => boolean;
};

/** The one name that AgentCompass's messages give to a status. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  403: "PermissionDeniedError",
  404: "NotFoundError",
  409: "ConflictError",
  422: "UnprocessableEntityError",
  429: "RateLimitError",
};

/** Any exception of a model call as a ModelFailure: one line, without keys. */
export function toModelFailure(error: unknown, facts: CallFacts): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { errors, address } = facts;
  const line = (text: string) => redactLine(text, facts.secrets);
  if (error instanceof errors.APIConnectionTimeoutError)
    return new ModelFailure(
      "timeout",
      line(`no answer from ${address} within ${facts.timeoutMs / 1000} s (model.params.timeout)`),
    );
  if (error instanceof errors.APIConnectionError)
    return new ModelFailure("connection", line(`cannot reach ${address}: ${rootCause(error)}`));
  if (error instanceof errors.APIError && isStatusError(error)) return statusFailure(error, facts);
  // What is left is thrown before anything was sent (an invalid address or header) or by reading the answer.
  const reason = error instanceof SyntaxError ? "protocol" : "connection";
  return new ModelFailure(reason, line(`call of ${address} failed: ${rootCause(error)}`));
}

type StatusError = { readonly status: number; readonly headers: Headers | undefined; readonly error: RefusalBody };

function isStatusError(error: object): error is StatusError {
  return "status" in error && typeof error.status === "number";
}

function statusFailure({ status, headers, error }: StatusError, facts: CallFacts): ModelFailure {
  const refusal = { status, text: error.message, code: error.code };
  const overflow = refusalCode(refusal);
  const parameter = overflow
    ? undefined
    : unsupportedParameter({ ...refusal, parameter: error.parameter }, facts.parameters);
  const code = parameter === undefined ? overflow : "model_parameter_unsupported";
  const wait = retryAfterMs(headers, Date.now());
  const said = `${saidBy(status, error.message)}${status === 404 ? pathAdvice(facts) : ""}`;
  return new ModelFailure(
    "status",
    redactLine(parameter === undefined ? said : `${adviceOn(parameter, facts)}: ${said}`, facts.secrets),
    { status, ...(code && { code }), ...(wait !== null && { retryAfterMs: wait }) },
  );
}

function saidBy(status: number, text: string): string {
  const name = STATUS_NAMES[status] ?? (status >= 500 ? "InternalServerError" : "APIStatusError");
  return `HTTP ${status}: ${name}: Error code: ${status}${text === "" ? "" : ` - ${text}`}`;
}

/** A bare host is called as it is written, since some endpoints answer there; most of them do not. */
function pathAdvice({ called, address }: CallFacts): string {
  const isBare = /^\/(?:chat\/completions|responses)$/.test(new URL(called).pathname);
  return isBare ? ` (${address} has no path; most endpoints answer below /v1)` : "";
}

function adviceOn(parameter: string, { isOfModel }: CallFacts): string {
  if (isOfModel(parameter)) return `the endpoint refuses "${parameter}"; change or remove it in model.params`;
  return `the endpoint refuses "${parameter}", which is not in model.params but comes from the task or the harness`;
}

/** The innermost text: "fetch failed" says nothing, the system's own error names address and reason. */
function rootCause(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    const next = current instanceof AggregateError ? current.errors.at(-1) : current.cause;
    if (next === undefined) break;
    current = next;
  }
  const text = errorText(current);
  const code = (current as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && !text.includes(code) ? `${text} (${code})` : text;
}
