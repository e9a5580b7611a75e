import type { ChatMessage } from "@agentcompass/core/plugin";
import { fieldsIn, textOf } from "./fields.ts";

/** The text of a message's content; of parts, the texts in their order. */
export function plainText(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return fieldsIn(content)
    .map((part) => textOf(part["text"]) ?? "")
    .join("");
}
