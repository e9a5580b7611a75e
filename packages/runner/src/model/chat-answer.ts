import type { ModelUsage, ToolCall } from "@agentcompass/core/plugin";
import type { ReadAnswer } from "./endpoint-protocol.ts";
import { amountOf, argumentsText, type Fields, fieldsIn, fieldsOf, isFields, textOf } from "./fields.ts";
import { notAnAnswer } from "./not-an-answer.ts";
import { reportedCost } from "./reported-cost.ts";

/**
 * Reads a chat completion as endpoints really send it: nearly every field may be absent. Throws ModelFailure
 * `protocol` when it is none.
 */
export function readChatAnswer(completion: Fields, address: string): ReadAnswer {
  const choice = Array.isArray(completion["choices"]) ? completion["choices"][0] : undefined;
  const message = isFields(choice) ? choice["message"] : undefined;
  if (!isFields(choice) || !isFields(message)) throw notAnAnswer(completion, address, "a chat completion", "a choice");
  return {
    content: contentText(message["content"]),
    reasoning_content: textOf(message["reasoning_content"]) ?? textOf(message["reasoning"]),
    tool_calls: toolCalls(message["tool_calls"]),
    stop_reason: textOf(choice["finish_reason"]),
    usage: readUsage(completion["usage"]),
    returned_model: textOf(completion["model"]),
  };
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return fieldsIn(content)
    .map((part) => textOf(part["text"]) ?? "")
    .join("");
}

function toolCalls(value: unknown): readonly ToolCall[] | null {
  const calls = fieldsIn(value).flatMap((call): ToolCall[] => {
    const called = call["function"];
    if (!isFields(called)) return [];
    return [
      {
        id: textOf(call["id"]) ?? "",
        type: "function",
        function: {
          name: textOf(called["name"]) ?? "",
          arguments: argumentsText(called["arguments"]),
        },
      },
    ];
  });
  return calls.length === 0 ? null : calls;
}

function readUsage(value: unknown): ModelUsage {
  const usage = fieldsOf(value);
  const prompt = fieldsOf(usage["prompt_tokens_details"]);
  const written = amountOf(prompt["cache_write_tokens"]);
  return {
    prompt_tokens: amountOf(usage["prompt_tokens"]) ?? 0,
    completion_tokens: amountOf(usage["completion_tokens"]) ?? 0,
    cache_tokens: amountOf(prompt["cached_tokens"]) ?? 0,
    reasoning_tokens: amountOf(fieldsOf(usage["completion_tokens_details"])["reasoning_tokens"]),
    ...(written !== null && { cache_write_tokens: written }),
    ...reportedCost(usage),
  };
}
