import { AgentCompassError } from "@agentcompass/core";
import type { Model } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { anthropicProtocol } from "./anthropic.ts";
import { createEndpointModel, type ModelOptions } from "./endpoint-model.ts";
import type { EndpointProtocol } from "./endpoint-protocol.ts";
import { openAiChatProtocol } from "./openai-chat.ts";
import { openAiResponsesProtocol } from "./openai-responses.ts";

export const MODEL_PROTOCOLS = ["openai-chat", "openai-responses", "anthropic"] as const;
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number];

const PROTOCOLS: Readonly<Record<ModelProtocol, EndpointProtocol>> = {
  "openai-chat": openAiChatProtocol,
  "openai-responses": openAiResponsesProtocol,
  anthropic: anthropicProtocol,
};

/**
 * A model that speaks `protocol`. No connection is made, and no provider's package loaded, before its first call. Throws
 * `spec.invalid` for an unknown protocol.
 */
export function createModel(protocol: string, spec: ModelSpec, options: ModelOptions = {}): Model {
  if (isKnown(protocol)) return createEndpointModel(PROTOCOLS[protocol], spec, options);
  throw new AgentCompassError(
    "spec.invalid",
    `model.api_protocol: unknown protocol "${protocol}"; known are ${MODEL_PROTOCOLS.join(", ")}`,
    { data: { protocol } },
  );
}

function isKnown(protocol: string): protocol is ModelProtocol {
  return MODEL_PROTOCOLS.some((known) => known === protocol);
}
