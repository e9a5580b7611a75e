import { type Harness, type HarnessRun, type ModelAnswer, type RunAsk, StageFailure } from "@agentcompass/core/plugin";
import { trajectoryTime } from "@agentcompass/core/record";
import type { Issue } from "@agentcompass/core/result";
import type { Params } from "@agentcompass/core/spec";
import { chatMessages } from "./chat-messages.ts";
import { chatTrajectory } from "./chat-trajectory.ts";
import { callWithRetries } from "./model-retry.ts";
import { OpenAiChatParams } from "./openai-chat-params.ts";

/** Asks the model once and takes its text as the answer; over chat completions unless the spec says otherwise. */
export const openAiChat: Harness = {
  id: "openai_chat",
  parallelAttemptsSafe: true,
  delivers: ["text"],
  needsModel: true,
  runsCommands: false,
  protocols: ["openai-chat", "openai-responses", "anthropic"],
  defaultRunTimeoutSeconds: null,
  doRun: runOpenAiChat,
};

async function runOpenAiChat(ask: RunAsk): Promise<HarnessRun> {
  const { model, prepared, clock, signal } = ask;
  if (!model) throw new StageFailure("fatal", "harness_failed", "openai_chat needs a model, but the model is none");
  const { max_retries } = OpenAiChatParams.parse(ask.params);
  const messages = chatMessages(prepared.input);
  const tools = taskTools(ask);
  const params = taskKwargs(prepared.metadata["kwargs"]);
  const startedAt = trajectoryTime(clock, clock.now());
  const answer = await callWithRetries(ask, max_retries, () => model.complete({ messages, tools, params, signal }));
  const finishedAt = trajectoryTime(clock, clock.now());
  const inferMs = Math.round(answer.latency_ms * 100) / 100;
  return {
    final_answer: answer.content,
    trajectory: chatTrajectory({ input: prepared.input, tools, answer, inferMs, startedAt, finishedAt }),
    issues: emptyOutputIssues(answer),
    artifacts: { raw_result: rawResult(answer) },
    telemetry: { llm_infer_ms: inferMs },
  };
}

function taskTools({ prepared }: RunAsk): readonly unknown[] {
  const tools = prepared.metadata["tools"];
  return Array.isArray(tools) && tools.length > 0 ? tools : prepared.input.tools;
}

function taskKwargs(value: unknown): Params {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function emptyOutputIssues(answer: ModelAnswer): readonly Issue[] {
  if (answer.content.trim() !== "" || answer.tool_calls) return [];
  const message = `the model's answer is empty (stop reason ${answer.stop_reason ?? "not given"})`;
  return [{ severity: "error", phase: "run", code: "model_empty_output", message }];
}

function rawResult(answer: ModelAnswer): Readonly<Record<string, unknown>> {
  const { prompt_tokens, completion_tokens, cache_tokens, cost_usd } = answer.usage;
  return {
    content: answer.content,
    reasoning_content: answer.reasoning_content,
    stop_reason: answer.stop_reason,
    usage: { prompt_tokens, completion_tokens, cache_tokens, cost_usd },
    tool_calls: answer.tool_calls,
  };
}
