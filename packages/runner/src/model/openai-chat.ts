import { readChatAnswer } from "./chat-answer.ts";
import { chatRequest } from "./chat-request.ts";
import type { EndpointProtocol } from "./endpoint-protocol.ts";
import { openAiClient } from "./openai-client.ts";

/** Chat completions, as OpenAI and most servers of open models speak them. */
export const openAiChatProtocol: EndpointProtocol = {
  name: "openai-chat",
  defaultAddress: "https://api.openai.com/v1",
  path: "/chat/completions",
  redundantEnds: ["/chat/completions", "/responses"],
  connect: openAiClient,
  request: chatRequest,
  read: readChatAnswer,
};
