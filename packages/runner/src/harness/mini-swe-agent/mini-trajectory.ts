import type { ModelAnswer, ModelUsage } from "@agentcompass/core/plugin";
import { MINI_SWE_AGENT_VERSION, type MiniSweAgentParams } from "../mini-swe-agent-params.ts";
import type { AgentRun } from "./agent.ts";
import type { Entry, Exit, Reply } from "./conversation.ts";
import { keptOutput, observationText } from "./observation.ts";

type Json = Readonly<Record<string, unknown>>;

export type TrajectoryFacts = {
  readonly params: MiniSweAgentParams;
  readonly modelId: string;
  readonly workspace: string;
};

/** The run in mini-swe-agent's own trajectory format 1.1, which its inspector reads. */
export function miniTrajectory({ entries, spent, exit }: AgentRun, facts: TrajectoryFacts): Json {
  const { params, modelId, workspace } = facts;
  const status = exit.status === "Failed" && exit.failure instanceof Error ? exit.failure.name : exit.status;
  return {
    info: {
      model_stats: { instance_cost: spent.costUsd, api_calls: spent.calls },
      config: {
        agent: { step_limit: params.step_limit, cost_limit: params.cost_limit },
        agent_type: "agentcompass.mini_swe_agent",
        model: { model_name: modelId, cost_tracking: params.cost_tracking },
        model_type: "agentcompass.model",
        environment: { cwd: workspace, timeout: params.command_timeout },
        environment_type: "agentcompass.session",
      },
      mini_version: MINI_SWE_AGENT_VERSION,
      exit_status: status,
      submission: exit.submission,
    },
    messages: [...sent(entries, exit).map(recorded), exitMessage(exit, status)],
    trajectory_format: "mini-swe-agent-1.1",
  };
}

/** What the commands of the last reply printed was never sent when one of them submitted; the format leaves it out. */
function sent(entries: readonly Entry[], exit: Exit): readonly Entry[] {
  if (exit.status !== "Submitted") return entries;
  return entries.slice(0, entries.findLastIndex((entry) => entry.kind === "reply") + 1);
}

function recorded(entry: Entry): Json {
  switch (entry.kind) {
    case "text":
      return { role: entry.role, content: entry.content };
    case "format_error":
      return {
        role: "user",
        content: entry.content,
        extra: { interrupt_type: "FormatError", response: response(entry.answer, assistant(entry.answer)) },
      };
    case "reply":
      return reply(entry);
    case "observation": {
      const { output, returncode, exception_info } = entry.result;
      const extra = { raw_output: keptOutput(output), returncode, timestamp: entry.at / 1000, exception_info };
      return { role: "tool", content: observationText(entry.result), tool_call_id: entry.tool_call_id, extra };
    }
  }
}

function reply({ answer, calls, actions, at }: Reply): Json {
  return {
    ...assistant(answer),
    tool_calls: calls,
    extra: { actions, response: response(answer), cost: answer.usage.cost_usd, timestamp: at / 1000 },
  };
}

function assistant(answer: ModelAnswer): Json {
  const reasoning = answer.reasoning_content === null ? {} : { reasoning_content: answer.reasoning_content };
  return { role: "assistant", content: answer.content, tool_calls: answer.tool_calls, ...reasoning };
}

/** The answer as an endpoint would send it; without a message where the entry itself is that message, for it may be large. */
function response(answer: ModelAnswer, message?: Json): Json {
  return {
    object: "chat.completion",
    model: answer.returned_model,
    choices: [{ index: 0, finish_reason: answer.stop_reason, ...(message && { message }) }],
    usage: usage(answer.usage),
  };
}

function usage({ prompt_tokens, completion_tokens, cache_tokens }: ModelUsage): Json {
  const total_tokens = prompt_tokens + completion_tokens;
  return { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details: { cached_tokens: cache_tokens } };
}

function exitMessage({ submission, failure }: Exit, status: string): Json {
  const content = status === "Submitted" ? submission : failure instanceof Error ? failure.message : status;
  return { role: "exit", content, extra: { exit_status: status, submission } };
}
