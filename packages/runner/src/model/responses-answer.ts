import type { ModelUsage, ToolCall } from "@agentcompass/core/plugin";
import type { ReadAnswer } from "./endpoint-protocol.ts";
import { amountOf, argumentsText, type Fields, fieldsIn, fieldsOf, textOf } from "./fields.ts";
import { notAnAnswer } from "./not-an-answer.ts";
import { reportedCost } from "./reported-cost.ts";
import { RESPONSES } from "./responses-input.ts";

/** Reads an answer of the Responses interface. Throws ModelFailure `protocol` when it is none or says that it failed. */
export function readResponsesAnswer(body: Fields, address: string): ReadAnswer {
  const items = body["output"];
  if (!Array.isArray(items) || body["status"] === "failed")
    throw notAnAnswer(body, address, "an answer of the Responses interface", "output");
  const output = fieldsIn(items);
  const calls = output.filter((item) => item["type"] === "function_call").map(toolCall);
  const thoughts = output.filter((item) => item["type"] === "reasoning").map(thought);
  return {
    content: output
      .filter((item) => item["type"] === "message")
      .map(messageText)
      .join(""),
    reasoning_content: thoughts.some((text) => text !== "") ? thoughts.join("\n") : null,
    tool_calls: calls.length > 0 ? calls : null,
    stop_reason: stopReason(body, calls),
    usage: readUsage(body["usage"]),
    returned_model: textOf(body["model"]),
    provider_items: { protocol: RESPONSES, items },
  };
}

/** A refusal is what the model said too. */
function messageText(item: Fields): string {
  return fieldsIn(item["content"])
    .map((part) => textOf(part["text"]) ?? textOf(part["refusal"]) ?? "")
    .join("");
}

/** The reasoning itself where a server shows it, else its summary. */
function thought(item: Fields): string {
  const parts = fieldsIn(item["content"]);
  return (parts.length > 0 ? parts : fieldsIn(item["summary"])).map((part) => textOf(part["text"]) ?? "").join("\n");
}

function toolCall(item: Fields): ToolCall {
  return {
    id: textOf(item["call_id"]) ?? textOf(item["id"]) ?? "",
    type: "function",
    function: { name: textOf(item["name"]) ?? "", arguments: argumentsText(item["arguments"]) },
  };
}

function stopReason(body: Fields, calls: readonly ToolCall[]): string | null {
  if (body["status"] === "incomplete")
    return fieldsOf(body["incomplete_details"])["reason"] === "max_output_tokens" ? "length" : "error";
  if (body["status"] === "cancelled") return "error";
  return calls.length > 0 ? "tool_calls" : "stop";
}

function readUsage(value: unknown): ModelUsage {
  const usage = fieldsOf(value);
  return {
    prompt_tokens: amountOf(usage["input_tokens"]) ?? 0,
    completion_tokens: amountOf(usage["output_tokens"]) ?? 0,
    cache_tokens: amountOf(fieldsOf(usage["input_tokens_details"])["cached_tokens"]) ?? 0,
    reasoning_tokens: amountOf(fieldsOf(usage["output_tokens_details"])["reasoning_tokens"]),
    ...reportedCost(usage),
  };
}
