import type { EndpointProtocol } from "./endpoint-protocol.ts";
import { openAiClient } from "./openai-client.ts";
import { readResponsesAnswer } from "./responses-answer.ts";
import { responsesRequest } from "./responses-request.ts";

/** OpenAI's Responses interface. Whether answers are stored there is the provider's default unless `store` is set. */
export const openAiResponsesProtocol: EndpointProtocol = {
  name: "openai-responses",
  defaultAddress: "https://api.openai.com/v1",
  path: "/responses",
  redundantEnds: ["/chat/completions", "/responses"],
  connect: openAiClient,
  request: responsesRequest,
  read: readResponsesAnswer,
};
