import type { ModelUsage, ToolCall } from "@agentcompass/core/plugin";
import { ANTHROPIC } from "./anthropic-messages.ts";
import type { ReadAnswer } from "./endpoint-protocol.ts";
import { amountOf, type Fields, fieldsIn, fieldsOf, textOf } from "./fields.ts";
import { notAnAnswer } from "./not-an-answer.ts";
import { reportedCost } from "./reported-cost.ts";

/** Reads an answer of the Messages interface. Throws ModelFailure `protocol` when it is none. */
export function readAnthropicAnswer(body: Fields, address: string): ReadAnswer {
  const items = body["content"];
  if (!Array.isArray(items)) throw notAnAnswer(body, address, "an answer of the Messages interface", "content");
  const blocks = fieldsIn(items);
  const calls = blocks.filter((block) => block["type"] === "tool_use").map(toolCall);
  const thoughts = blocks.flatMap((block) => textOf(block["thinking"]) ?? []).filter((thought) => thought !== "");
  return {
    content: blocks.flatMap((block) => (block["type"] === "text" ? (textOf(block["text"]) ?? []) : [])).join(""),
    reasoning_content: thoughts.length > 0 ? thoughts.join("\n") : null,
    tool_calls: calls.length > 0 ? calls : null,
    stop_reason: stopReason(textOf(body["stop_reason"])),
    usage: readUsage(body["usage"]),
    returned_model: textOf(body["model"]),
    provider_items: { protocol: ANTHROPIC, items },
  };
}

function toolCall(block: Fields): ToolCall {
  return {
    id: textOf(block["id"]) ?? "",
    type: "function",
    function: { name: textOf(block["name"]) ?? "", arguments: JSON.stringify(block["input"] ?? {}) },
  };
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
};

/** What is neither a whole nor a cut answer (a refusal, a pause) is an error. */
function stopReason(reason: string | null): string | null {
  return reason === null ? null : (STOP_REASONS[reason] ?? "error");
}

/** The interface counts prompt tokens from and to a cache apart; here they are parts of the prompt, as in the other protocols. */
function readUsage(value: unknown): ModelUsage {
  const usage = fieldsOf(value);
  const cached = amountOf(usage["cache_read_input_tokens"]) ?? 0;
  const written = amountOf(usage["cache_creation_input_tokens"]);
  return {
    prompt_tokens: (amountOf(usage["input_tokens"]) ?? 0) + cached + (written ?? 0),
    completion_tokens: amountOf(usage["output_tokens"]) ?? 0,
    cache_tokens: cached,
    reasoning_tokens: amountOf(fieldsOf(usage["output_tokens_details"])["thinking_tokens"]),
    ...(written !== null && { cache_write_tokens: written }),
    ...reportedCost(usage),
  };
}
