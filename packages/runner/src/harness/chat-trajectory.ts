import type { ModelAnswer, PreparedTask } from "@agentcompass/core/plugin";
import type { Trajectory } from "@agentcompass/core/result";

export type ChatExchange = {
  readonly input: PreparedTask["input"];
  readonly tools: readonly unknown[];
  readonly answer: ModelAnswer;
  /** Milliseconds, two digits. */
  readonly inferMs: number;
  readonly startedAt: string;
  readonly finishedAt: string;
};

/** One question and one answer as a trajectory of one step. */
export function chatTrajectory(exchange: ChatExchange): Trajectory {
  const { input, answer } = exchange;
  const times = { started_at: exchange.startedAt, finished_at: exchange.finishedAt };
  return {
    schema_version: "ACTF_v1.0",
    steps: [
      {
        step_id: 0,
        system_prompt: input.system_prompt ?? "",
        user_content: input.prompt || JSON.stringify(input.messages),
        tools: exchange.tools,
        assistant_content: {
          content: answer.content,
          reasoning_content: answer.reasoning_content ?? "",
          tool_calls: answer.tool_calls ?? [],
        },
        observation: [],
        metric: {
          prompt_tokens_len: answer.usage.prompt_tokens,
          completion_tokens_len: answer.usage.completion_tokens,
          llm_infer_ms: exchange.inferMs,
          env_action_ms: null,
          stop_reason: answer.stop_reason,
        },
        ...times,
      },
    ],
    ...times,
  };
}
