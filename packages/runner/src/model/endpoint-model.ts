import { type Model, ModelFailure } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { apiKeyToSend } from "./api-key.ts";
import { endpointAddress } from "./endpoint-address.ts";
import type { EndpointCall } from "./endpoint-client.ts";
import type { EndpointProtocol, ReadAnswer } from "./endpoint-protocol.ts";
import { fieldsOf } from "./fields.ts";
import { toModelFailure } from "./model-failure.ts";
import { jsonObject } from "./not-an-answer.ts";
import { redactLine } from "./redact.ts";
import { requestParameters } from "./request-parameters.ts";

export type ModelOptions = {
  /** Absolute run directory, part of a wrapped key. */
  readonly runDirectory?: string;
};

/** A shorter header (a team, a version) is a word that messages may hold. */
const SHORTEST_HEADER_SECRET = 8;

/**
 * A model behind an endpoint that speaks `protocol`. Models of one address and key share a client, and all share the
 * connections. `complete` throws ModelFailure alone, or the signal's reason.
 */
export function createEndpointModel(protocol: EndpointProtocol, spec: ModelSpec, options: ModelOptions = {}): Model {
  const apiKey = apiKeyToSend(spec, options.runDirectory);
  const secrets = [apiKey, spec.api_key, spec.api_key.trim()];
  const address = redactLine(spec.base_url.replace(/[?#].*$/s, "") || protocol.defaultAddress, secrets);
  const endpoint = endpointAddress(spec.base_url, protocol);
  return {
    async complete(ask) {
      ask.signal?.throwIfAborted();
      if (endpoint === undefined) throw noAddress(address);
      const client = await protocol.connect(endpoint.root, apiKey);
      const given = requestParameters(spec, ask);
      const { headers, query, timeoutMs } = given;
      const { body, parameters } = protocol.request(spec.id, ask, given);
      const call = {
        body,
        headers: { ...headers },
        query: { ...endpoint.query, ...query },
        timeout: wholeMs(timeoutMs),
      };
      const startedAt = performance.now();
      try {
        const answer = await untilAborted(ask.signal, (signal) => client.post(protocol.path, { ...call, signal }));
        return { ...read(protocol, answer, address, secrets), latency_ms: performance.now() - startedAt };
      } catch (error) {
        ask.signal?.throwIfAborted();
        const isOfModel = (name: string) => name in spec.params || name in fieldsOf(spec.params["extra_body"]);
        const said = [...secrets, ...Object.values(headers).filter(({ length }) => length >= SHORTEST_HEADER_SECRET)];
        const facts = {
          errors: client.errors,
          address,
          called: endpoint.root + protocol.path,
          secrets: said,
          timeoutMs,
          parameters,
          isOfModel,
        };
        throw toModelFailure(error, facts);
      }
    },
  };
}

function noAddress(shown: string): ModelFailure {
  return new ModelFailure(
    "connection",
    `model.base_url "${shown}" is no address: it must start with http:// or https://`,
  );
}

function wholeMs(milliseconds: number): EndpointCall["timeout"] {
  return Math.max(1, Math.ceil(milliseconds));
}

/**
 * Runs one call under a signal of its own, for the client leaves its listeners behind and a run may make hundreds of calls. The
 * client does not notice an abort while it waits between its retries: the wait for it ends here.
 */
async function untilAborted<T>(outer: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // An abort while the client was loaded has no event left to be heard.
  outer?.throwIfAborted();
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

function read(protocol: EndpointProtocol, body: unknown, address: string, secrets: readonly string[]): ReadAnswer {
  try {
    return protocol.read(jsonObject(body, address), address);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    throw new ModelFailure("protocol", redactLine(error.message, secrets), { code: error.code });
  }
}
