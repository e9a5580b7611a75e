import { type EnvironmentSession, type PreparedTask, StageFailure } from "@agentcompass/core/plugin";
import { chatMessages } from "../chat-messages.ts";
import type { Entry } from "./conversation.ts";
import { firstMessage, SYSTEM_PROMPT, taskWithOutputs } from "./wording.ts";

const SYSTEM_TIMEOUT_MS = 10_000;

/** System and user message of a task. Throws StageFailure for a task that has media or no text. */
export async function openingOf(
  { input, output }: PreparedTask,
  session: EnvironmentSession,
): Promise<readonly Entry[]> {
  const text = taskText(input);
  const content = firstMessage(taskWithOutputs(text, output), await systemLine(session));
  return [
    { kind: "text", role: "system", content: SYSTEM_PROMPT },
    { kind: "text", role: "user", content },
  ];
}

/** A single message is the task; of a conversation each message keeps its role. */
function taskText(input: PreparedTask["input"]): string {
  if (input.media.length > 0) throw unfit("the task has media, but mini_swe_agent takes text alone");
  const messages = chatMessages(input).map(({ role, content }) => ({
    role,
    text: typeof content === "string" ? content : JSON.stringify(content),
  }));
  const [first, ...others] = messages;
  const text =
    others.length === 0 ? first?.text : messages.map((message) => `${message.role}:\n${message.text}`).join("\n\n");
  if (!text?.trim()) throw unfit("the task has no text, but mini_swe_agent needs a prompt");
  return text;
}

function unfit(message: string): StageFailure {
  return new StageFailure("fatal", "harness_failed", message);
}

/** Name, release, version and machine of the place where commands run; empty where it does not say. */
async function systemLine(session: EnvironmentSession): Promise<string> {
  const { returncode, stdout } = await session.exec({ command: "uname -srvm", timeoutMs: SYSTEM_TIMEOUT_MS });
  return returncode === 0 ? (stdout.split("\n", 1)[0] ?? "").trim() : "";
}
