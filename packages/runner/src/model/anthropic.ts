import { readAnthropicAnswer } from "./anthropic-answer.ts";
import { anthropicClient } from "./anthropic-client.ts";
import { anthropicRequest } from "./anthropic-request.ts";
import type { EndpointProtocol } from "./endpoint-protocol.ts";

/** Anthropic's Messages interface. Its base addresses are written with and without /v1; the path of the call holds it. */
export const anthropicProtocol: EndpointProtocol = {
  name: "anthropic",
  defaultAddress: "https://api.anthropic.com",
  path: "/v1/messages",
  redundantEnds: ["/v1/messages", "/v1"],
  connect: anthropicClient,
  request: anthropicRequest,
  read: readAnthropicAnswer,
};
