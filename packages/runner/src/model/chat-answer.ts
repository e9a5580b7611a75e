import { type ModelAnswer, ModelFailure, type ModelUsage, type ToolCall } from "@agentcompass/core/plugin";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a chat completion as endpoints really send it: nearly every field may be absent. Throws ModelFailure
 * `protocol` when it is none.
 */
export function readChatAnswer(body: unknown, address: string): Omit<ModelAnswer, "latency_ms"> {
  const completion = typeof body === "string" ? parseJson(body, address) : body;
  if (!isFields(completion)) throw notAnAnswer(address, "an answer that is not a JSON object");
  const choice = Array.isArray(completion["choices"]) ? completion["choices"][0] : undefined;
  const message = isFields(choice) ? choice["message"] : undefined;
  if (!isFields(choice) || !isFields(message)) throw notAnAnswer(address, withoutChoice(completion));
  return {
    content: contentText(message["content"]),
    reasoning_content: text(message["reasoning_content"]) ?? text(message["reasoning"]),
    tool_calls: toolCalls(message["tool_calls"]),
    stop_reason: text(choice["finish_reason"]),
    usage: readUsage(completion["usage"]),
    returned_model: text(completion["model"]),
  };
}

function parseJson(body: string, address: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw notAnAnswer(address, `text that is not JSON: ${JSON.stringify(body.slice(0, 80))}`);
  }
}

function notAnAnswer(address: string, found: string): ModelFailure {
  return new ModelFailure(
    "protocol",
    `${address} sent ${found}; expected a chat completion, check that base_url names an OpenAI-compatible API`,
  );
}

function withoutChoice(completion: Fields): string {
  const error = completion["error"];
  const said = isFields(error) ? error["message"] : error;
  return typeof said === "string" ? `no choice but the error "${said.slice(0, 200)}"` : "an answer without a choice";
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isFields(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

function toolCalls(value: unknown): readonly ToolCall[] | null {
  if (!Array.isArray(value)) return null;
  const calls = value.flatMap((call): ToolCall[] => {
    const called = isFields(call) ? call["function"] : undefined;
    if (!isFields(call) || !isFields(called)) return [];
    const given = called["arguments"];
    return [
      {
        id: text(call["id"]) ?? "",
        type: "function",
        function: {
          name: text(called["name"]) ?? "",
          arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}),
        },
      },
    ];
  });
  return calls.length === 0 ? null : calls;
}

function readUsage(value: unknown): ModelUsage {
  const usage = isFields(value) ? value : {};
  const prompt = isFields(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  const completion = isFields(usage["completion_tokens_details"]) ? usage["completion_tokens_details"] : {};
  return {
    prompt_tokens: amount(usage["prompt_tokens"]) ?? 0,
    completion_tokens: amount(usage["completion_tokens"]) ?? 0,
    cache_tokens: amount(prompt["cached_tokens"]) ?? 0,
    reasoning_tokens: amount(completion["reasoning_tokens"]),
    cost_usd: amount(usage["cost"]) ?? 0,
  };
}

function amount(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
