import { AgentCompassError } from "@agentcompass/core";
import type { Model } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { createOpenAiChatModel, type ModelOptions } from "./openai-chat.ts";

export const MODEL_PROTOCOLS = ["openai-chat", "openai-responses", "anthropic"] as const;
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number];

/**
 * The protocol that a component and a model share: the first configured one that the component supports, in any
 * letter case; its default (the first supported) when `auto` or nothing is configured. The endpoint is not asked.
 * Throws `spec.invalid` when none is shared; undefined when the component supports none because it calls no model.
 */
export function selectProtocol(
  configured: string | readonly string[] | undefined,
  supported: readonly string[],
): string | undefined {
  const listed = typeof configured === "string" ? [configured] : (configured ?? []);
  const wanted = listed
    .map((protocol) => protocol.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "auto");
  if (wanted.length === 0 || supported.length === 0) return supported[0];
  const shared = wanted.find((protocol) => supported.includes(protocol));
  if (shared !== undefined) return shared;
  throw new AgentCompassError(
    "spec.invalid",
    `model.api_protocol: "${listed.join(", ")}" is not supported here; supported are ${supported.join(", ")}`,
    { data: { configured: listed, supported } },
  );
}

/**
 * A model that speaks `protocol`; no connection is made before its first call. Throws `component.unavailable` for a
 * protocol of a later release, `spec.invalid` for an unknown one.
 */
export function createModel(protocol: string, spec: ModelSpec, options: ModelOptions = {}): Model {
  if (protocol === "openai-chat") return createOpenAiChatModel(spec, options);
  if (MODEL_PROTOCOLS.some((known) => known === protocol)) {
    throw new AgentCompassError(
      "component.unavailable",
      `model.api_protocol: "${protocol}" comes with a later release; use openai-chat`,
      { data: { protocol } },
    );
  }
  throw new AgentCompassError(
    "spec.invalid",
    `model.api_protocol: unknown protocol "${protocol}"; known are ${MODEL_PROTOCOLS.join(", ")}`,
    { data: { protocol } },
  );
}
