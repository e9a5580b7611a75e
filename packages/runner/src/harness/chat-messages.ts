import { type ChatMessage, type PreparedTask, StageFailure } from "@agentcompass/core/plugin";

/**
 * The conversation a task starts with: its messages, else a prompt that is itself a JSON array of messages, else
 * the prompt as one user message. The task's system prompt comes first unless the messages bring their own.
 */
export function chatMessages(input: PreparedTask["input"]): readonly ChatMessage[] {
  if (input.media.length > 0) {
    throw new StageFailure("fatal", "harness_failed", "openai_chat sends text alone, but the task has media");
  }
  const messages = givenMessages(input) ?? [{ role: "user" as const, content: input.prompt }];
  if (!input.system_prompt || messages.some((message) => message.role === "system")) return messages;
  return [{ role: "system", content: input.system_prompt }, ...messages];
}

function givenMessages(input: PreparedTask["input"]): readonly ChatMessage[] | undefined {
  if (input.messages.length === 0) return messagesInText(input.prompt);
  if (input.messages.every(isMessage)) return input.messages;
  throw new StageFailure("fatal", "harness_failed", "a message of the task is no object with a role");
}

function messagesInText(prompt: string): readonly ChatMessage[] | undefined {
  if (!prompt.trimStart().startsWith("[")) return undefined;
  try {
    const value: unknown = JSON.parse(prompt);
    return Array.isArray(value) && value.length > 0 && value.every(isMessage) ? value : undefined;
  } catch {
    // A text that merely begins with a bracket.
    return undefined;
  }
}

function isMessage(value: unknown): value is ChatMessage {
  return typeof value === "object" && value !== null && typeof (value as { role?: unknown }).role === "string";
}
