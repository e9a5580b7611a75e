import type { ModelSpec } from "@agentcompass/core/spec";

/** Stands for "no key": the client refuses to be built without one, and servers that need none ignore it. */
export const EMPTY_API_KEY = "EMPTY";

/**
 * The key to send while a task runs: with `wrap_api_key` the base64 of the key and the absolute run directory, for
 * gateways that group calls by run; the key itself otherwise, or when there is no run.
 */
export function apiKeyToSend(spec: ModelSpec, runDirectory: string | undefined): string {
  if (!spec.wrap_api_key || runDirectory === undefined) return spec.api_key || EMPTY_API_KEY;
  const wrapped = `<api_secret>${spec.api_key}</api_secret><session_id>${runDirectory}</session_id>`;
  return Buffer.from(wrapped, "utf8").toString("base64");
}
