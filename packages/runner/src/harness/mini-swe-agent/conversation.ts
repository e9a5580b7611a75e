import type { ChatMessage, ModelAnswer, ToolCall } from "@agentcompass/core/plugin";
import type { Action } from "./bash-tool.ts";
import type { CommandOutput } from "./command.ts";
import { observationText } from "./observation.ts";

/** What happened, in order; messages and both trajectories are made from it. Times are epoch milliseconds. */
export type Entry =
  | { readonly kind: "text"; readonly role: "system" | "user"; readonly content: string }
  | Reply
  | FormatError
  | {
      readonly kind: "observation";
      readonly tool_call_id: string;
      readonly result: CommandOutput;
      readonly at: number;
    };

/** A reply with commands. */
export type Reply = {
  readonly kind: "reply";
  readonly answer: ModelAnswer;
  readonly calls: readonly ToolCall[];
  readonly actions: readonly Action[];
  readonly startedAt: number;
  readonly at: number;
};

/** A reply that could not be used: the model never sees it again, only what was wrong with it. */
export type FormatError = {
  readonly kind: "format_error";
  readonly answer: ModelAnswer;
  readonly content: string;
  readonly startedAt: number;
  readonly at: number;
};

/** How a run ended; `status` is the word that stands in mini-swe-agent's own trajectory. */
export type Exit = {
  readonly status: "Submitted" | "LimitsExceeded" | "TimeExceeded" | "RepeatedFormatError" | "Failed";
  readonly submission: string;
  /** Bytes that the submission lost. */
  readonly droppedBytes?: number;
  readonly limit?: "step_limit" | "cost_limit";
  /** What was thrown, with status Failed. */
  readonly failure?: unknown;
};

export type MessageOptions = { readonly interleavedThinking: boolean };

/** The conversation as the next request sends it. */
export function conversationMessages(entries: readonly Entry[], options: MessageOptions): readonly ChatMessage[] {
  return entries.map((entry) => entryMessage(entry, options));
}

function entryMessage(entry: Entry, options: MessageOptions): ChatMessage {
  switch (entry.kind) {
    case "text":
      return { role: entry.role, content: entry.content };
    case "format_error":
      return { role: "user", content: entry.content };
    case "observation":
      return { role: "tool", content: observationText(entry.result), tool_call_id: entry.tool_call_id };
    case "reply":
      return replyMessage(entry, options);
  }
}

function replyMessage({ answer, calls }: Reply, { interleavedThinking }: MessageOptions): ChatMessage {
  const message = {
    role: "assistant",
    content: answer.content === "" ? null : answer.content,
    tool_calls: calls,
  } as const;
  if (!interleavedThinking) return message;
  return {
    ...message,
    ...(answer.reasoning_content !== null && { reasoning_content: answer.reasoning_content }),
    ...(answer.provider_items && { provider_items: answer.provider_items }),
  };
}
