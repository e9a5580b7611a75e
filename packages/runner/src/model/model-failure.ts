import { errorText } from "@agentcompass/core";
import { ModelFailure } from "@agentcompass/core/plugin";
import type { OpenAiModule } from "./openai-client.ts";
import { redactLine } from "./redact.ts";
import { retryAfterMs } from "./transport.ts";

export type CallFacts = {
  readonly module: OpenAiModule;
  /** As the user knows it; may hold credentials, which are not shown. */
  readonly address: string;
  readonly secrets: readonly string[];
  /** Time given to one HTTP request. */
  readonly timeoutMs: number;
};

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
  const { module, address } = facts;
  const line = (text: string) => redactLine(text, facts.secrets);
  if (error instanceof module.APIConnectionTimeoutError) {
    return new ModelFailure("timeout", line(`no answer from ${address} within ${facts.timeoutMs / 1000} s`));
  }
  if (error instanceof module.APIConnectionError) {
    return new ModelFailure("connection", line(`cannot reach ${address}: ${rootCause(error)}`));
  }
  if (error instanceof module.APIError && typeof error.status === "number") return statusFailure(error, line);
  // What is left is thrown before anything was sent (an invalid address or header) or by reading the answer.
  const reason = error instanceof SyntaxError ? "protocol" : "connection";
  return new ModelFailure(reason, line(`call of ${address} failed: ${rootCause(error)}`));
}

function statusFailure(error: InstanceType<OpenAiModule["APIError"]>, line: (text: string) => string): ModelFailure {
  const status = error.status as number;
  const name = STATUS_NAMES[status] ?? (status >= 500 ? "InternalServerError" : "APIStatusError");
  const text = (error.error as { message?: string } | undefined)?.message ?? "";
  const wait = retryAfterMs(error.headers, Date.now());
  const message = line(`HTTP ${status}: ${name}: Error code: ${status}${text === "" ? "" : ` - ${text}`}`);
  return new ModelFailure("status", message, { status, ...(wait !== null && { retryAfterMs: wait }) });
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
