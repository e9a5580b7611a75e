import type { ChatMessage, ToolCall } from "@agentcompass/core/plugin";
import { type Fields, isFields } from "./fields.ts";
import { plainText } from "./message-text.ts";

export const RESPONSES = "openai-responses";

/**
 * A conversation as items of a Responses request. Where an assistant turn holds what this protocol itself sent, that goes back
 * as it came; reasoning that stands in text alone cannot be sent back and is left out.
 */
export function responsesInput(messages: readonly ChatMessage[]): readonly unknown[] {
  return messages.flatMap(itemsOf);
}

function itemsOf(message: ChatMessage): readonly unknown[] {
  const { role, provider_items: own } = message;
  if (role === "tool") return [toolOutput(message)];
  if (role !== "assistant") return [{ role, content: contentOf(message.content) }];
  if (own?.protocol === RESPONSES) return own.items;
  const text = plainText(message.content);
  const said = text === "" ? [] : [{ role, content: text }];
  return [...said, ...(message.tool_calls ?? []).map(functionCall)];
}

function toolOutput({ tool_call_id, content }: ChatMessage): Fields {
  return { type: "function_call_output", call_id: tool_call_id ?? "", output: plainText(content) };
}

function functionCall({ id, function: called }: ToolCall): Fields {
  return { type: "function_call", call_id: id, name: called.name, arguments: called.arguments };
}

function contentOf(content: ChatMessage["content"]): string | readonly unknown[] {
  return Array.isArray(content) ? content.map(inputPart) : plainText(content);
}

/** Text and images have names of their own here; any other part is sent as it is. */
function inputPart(part: unknown): unknown {
  if (!isFields(part)) return part;
  if (part["type"] === "text") return { type: "input_text", text: part["text"] };
  const image = part["image_url"];
  if (part["type"] !== "image_url" || !isFields(image)) return part;
  const { url, detail } = image;
  return { type: "input_image", image_url: url, ...(detail !== undefined && { detail }) };
}
