import { AgentCompassError } from "@agentcompass/core";
import type { Model } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { createOpenAiChatModel, type ModelOptions } from "./openai-chat.ts";

export const MODEL_PROTOCOLS = ["openai-chat", "openai-responses", "anthropic"] as const;
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number];

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
