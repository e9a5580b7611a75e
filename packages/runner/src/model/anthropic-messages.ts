import type { ChatMessage, ToolCall } from "@agentcompass/core/plugin";
import { type Fields, fieldsIn, isFields, textOf } from "./fields.ts";
import { plainText } from "./message-text.ts";

export const ANTHROPIC = "anthropic";

type Turn = { readonly role: "user" | "assistant"; readonly content: string | readonly unknown[] };

const isSystem = ({ role }: ChatMessage): boolean => role === "system" || role === "developer";

/** All system messages as one, in their order; as blocks where one is written in parts, for these may be marked for caching. */
export function systemPrompt(messages: readonly ChatMessage[]): string | readonly unknown[] | undefined {
  const given = messages.filter((message) => isSystem(message) && plainText(message.content) !== "");
  if (given.length === 0) return undefined;
  if (given.every(({ content }) => typeof content === "string"))
    return given.map(({ content }) => plainText(content)).join("\n\n");
  return given.flatMap(({ content }) => blocksOf(content));
}

/**
 * The conversation without its system messages. Turns of one side that follow each other become one: the results of all calls of
 * a turn must come together. An assistant turn that says and calls nothing is left out, as the interface refuses it.
 */
export function anthropicMessages(messages: readonly ChatMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages.filter((one) => !isSystem(one))) {
    const turn = turnOf(message);
    const last = turns.at(-1);
    if (turn.role === "assistant" && turn.content.length === 0) continue;
    if (last?.role !== turn.role) turns.push(turn);
    else turns[turns.length - 1] = { role: turn.role, content: [...blocksOf(last.content), ...blocksOf(turn.content)] };
  }
  return turns;
}

function turnOf(message: ChatMessage): Turn {
  if (message.role === "assistant") return { role: "assistant", content: assistantBlocks(message) };
  if (message.role === "tool") return { role: "user", content: [toolResult(message)] };
  return { role: "user", content: typeof message.content === "string" ? message.content : blocksOf(message.content) };
}

/** What this interface itself sent goes back as it came: the signature of a thinking block stands for all of its turn. */
function assistantBlocks({ content, tool_calls, provider_items: own }: ChatMessage): readonly unknown[] {
  if (own?.protocol === ANTHROPIC) return own.items;
  return [...blocksOf(content), ...(tool_calls ?? []).map(toolUse)];
}

function toolUse({ id, function: called }: ToolCall): Fields {
  return { type: "tool_use", id, name: called.name, input: inputOf(called.arguments) };
}

/** Input must be a mapping; arguments that are none are still shown to the model. */
function inputOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return isFields(value) ? value : { arguments: value };
  } catch {
    return { arguments: text };
  }
}

function toolResult({ tool_call_id, content }: ChatMessage): Fields {
  const result = typeof content === "string" ? content : blocksOf(content);
  return { type: "tool_result", tool_use_id: tool_call_id ?? "", content: result };
}

/** Parts of a content; an empty text is none, as the interface refuses it. */
function blocksOf(content: ChatMessage["content"]): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return fieldsIn(content)
    .map(blockOf)
    .filter((block) => block["type"] !== "text" || block["text"] !== "");
}

/** Texts (with their marks for caching) stay as they are; pictures have another form. */
function blockOf(part: Fields): Fields {
  const image = isFields(part["image_url"]) ? textOf(part["image_url"]["url"]) : textOf(part["image_url"]);
  if (part["type"] !== "image_url" || image === null) return part;
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(image);
  const source = data ? { type: "base64", media_type: data[1], data: data[2] } : { type: "url", url: image };
  return { type: "image", source };
}
