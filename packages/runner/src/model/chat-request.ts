import type { ChatMessage, ModelAsk } from "@agentcompass/core/plugin";
import type { RequestBody } from "./endpoint-protocol.ts";
import { parameterNames, type RequestParameters } from "./request-parameters.ts";

/** The body of a chat completion: messages, tools and parameters as they are. */
export function chatRequest(model: string, ask: ModelAsk, parameters: RequestParameters): RequestBody {
  const tools = ask.tools && ask.tools.length > 0 ? { tools: ask.tools } : {};
  const messages = ask.messages.map(withoutProviderItems);
  return {
    body: { ...parameters.sent, ...tools, ...parameters.extraBody, model, messages },
    parameters: parameterNames(parameters),
  };
}

/** They belong to other protocols; a chat endpoint may refuse a field that it does not know. */
function withoutProviderItems(message: ChatMessage): ChatMessage {
  if (message.provider_items === undefined) return message;
  const { provider_items: _items, ...rest } = message;
  return rest;
}
