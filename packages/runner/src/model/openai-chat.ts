import { type Model, type ModelAnswer, ModelFailure } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { apiKeyToSend } from "./api-key.ts";
import { readChatAnswer } from "./chat-answer.ts";
import { type ChatRequest, chatRequest } from "./chat-request.ts";
import { toModelFailure } from "./model-failure.ts";
import { type OpenAiConnection, openAiConnection } from "./openai-client.ts";
import { redactLine } from "./redact.ts";

export type ModelOptions = {
  /** Absolute run directory, part of a wrapped key. */
  readonly runDirectory?: string;
};

/**
 * A model behind the chat completions API. Models of one address and key share a client, and all share the
 * connections. `complete` throws ModelFailure alone, or the signal's reason.
 */
export function createOpenAiChatModel(spec: ModelSpec, options: ModelOptions = {}): Model {
  const apiKey = apiKeyToSend(spec, options.runDirectory);
  const secrets = [apiKey, spec.api_key, spec.api_key.trim()];
  const address = redactLine(spec.base_url || "https://api.openai.com/v1", secrets);
  return {
    async complete(ask) {
      ask.signal?.throwIfAborted();
      requireAddress(spec.base_url, address);
      const connection = await openAiConnection(spec.base_url, apiKey);
      const request = chatRequest(spec, ask);
      const startedAt = performance.now();
      try {
        const body = await untilAborted(ask.signal, (signal) => send(connection, request, signal));
        return { ...readRedacted(body, address, secrets), latency_ms: performance.now() - startedAt };
      } catch (error) {
        ask.signal?.throwIfAborted();
        const { module } = connection;
        throw toModelFailure(error, { module, address, secrets, timeoutMs: request.timeoutMs });
      }
    },
  };
}

function requireAddress(baseUrl: string, shown: string): void {
  if (baseUrl === "" || /^https?:\/\/[^/]/i.test(baseUrl)) return;
  throw new ModelFailure(
    "connection",
    `model.base_url "${shown}" is no address: it must start with http:// or https://`,
  );
}

function send(connection: OpenAiConnection, request: ChatRequest, signal: AbortSignal): Promise<unknown> {
  return connection.client.post("/chat/completions", {
    body: request.body,
    headers: { ...request.headers },
    query: { ...request.query },
    timeout: Math.max(1, Math.ceil(request.timeoutMs)),
    signal,
  });
}

/**
 * Runs one call under a signal of its own, for the client leaves its listeners behind and a run may make hundreds of calls. The
 * client does not notice an abort while it waits between its retries: the wait for it ends here.
 */
async function untilAborted<T>(outer: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      controller.abort(outer?.reason);
      reject(outer?.reason);
    };
  });
  outer?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([call(controller.signal), aborted]);
  } finally {
    outer?.removeEventListener("abort", stop);
  }
}

function readRedacted(body: unknown, address: string, secrets: readonly string[]): Omit<ModelAnswer, "latency_ms"> {
  try {
    return readChatAnswer(body, address);
  } catch (error) {
    if (error instanceof ModelFailure) throw new ModelFailure("protocol", redactLine(error.message, secrets));
    throw error;
  }
}
