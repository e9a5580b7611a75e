import type { ChatMessage, PreparedTask } from "../plugin/index.ts";

/** Variable of the agent's commands: epoch seconds at which the time of the run is over. */
export const DEADLINE_VARIABLE = "AGENTCOMPASS_DEADLINE";

/** Empty without a deadline. */
export function deadlineVariables(deadlineAt: number | undefined): Readonly<Record<string, string>> {
  return deadlineAt === undefined ? {} : { [DEADLINE_VARIABLE]: String(Math.floor(deadlineAt / 1000)) };
}

/** The same task whose last words to the agent are its time limit. */
export function tellDeadline(prepared: PreparedTask, seconds: number): PreparedTask {
  const { prompt, messages } = prepared.input;
  const line = `Time limit: ${rounded(seconds)} seconds from now. What is not finished by then is stopped and judged as it stands.`;
  const told =
    messages.length > 0
      ? { messages: withLine(messages, line) }
      : { prompt: jsonMessages(prompt, line) ?? `${prompt}\n\n${line}` };
  return { ...prepared, input: { ...prepared.input, ...told } };
}

function rounded(seconds: number): number {
  return seconds < 10 ? Number(seconds.toFixed(1)) : Math.floor(seconds);
}

/** A prompt may be the JSON text of a conversation, which has to stay one. */
function jsonMessages(prompt: string, line: string): string | undefined {
  if (!prompt.trimStart().startsWith("[")) return undefined;
  try {
    const messages: unknown = JSON.parse(prompt);
    return Array.isArray(messages) && messages.every(isMessage) ? JSON.stringify(withLine(messages, line)) : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): boolean {
  return typeof value === "object" && value !== null && "role" in value;
}

/** Added to the last word of the user, or said as one when that is no text. */
function withLine(messages: readonly unknown[], line: string): readonly unknown[] {
  const last = messages.at(-1) as Partial<ChatMessage> | undefined;
  if (last?.role === "user" && typeof last.content === "string")
    return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${line}` }];
  return [...messages, { role: "user", content: line }];
}
