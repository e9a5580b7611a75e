import type { ToolCall } from "@agentcompass/core/plugin";
import type { Clock } from "@agentcompass/core/port";
import { trajectoryTime } from "@agentcompass/core/record";
import type { Trajectory, TrajectoryStep } from "@agentcompass/core/result";
import { BASH_TOOL, readArguments } from "./bash-tool.ts";
import type { Entry, FormatError, Reply } from "./conversation.ts";
import { observationText } from "./observation.ts";

type Turn = { readonly reply: Reply | FormatError; readonly said: string; readonly seen: Observation[] };
type Observation = Extract<Entry, { kind: "observation" }>;

/** The run as ACTF: a step for each reply, with what its commands printed; a reply that could not be used is one too. */
export function agentSteps(entries: readonly Entry[], clock: Clock, from: number, until: number): Trajectory {
  const time = (at: number): string => trajectoryTime(clock, at);
  const system = entries.find((entry) => entry.kind === "text" && entry.role === "system");
  const systemPrompt = system?.kind === "text" ? system.content : "";
  return {
    schema_version: "ACTF_v1.0",
    steps: turnsOf(entries).map((turn, index) => toStep(turn, { step_id: index + 1, systemPrompt, time })),
    started_at: time(from),
    finished_at: time(until),
  };
}

function turnsOf(entries: readonly Entry[]): readonly Turn[] {
  const turns: Turn[] = [];
  let said = "";
  for (const entry of entries) {
    if (entry.kind === "text") said = entry.role === "user" ? entry.content : said;
    else if (entry.kind === "observation") turns.at(-1)?.seen.push(entry);
    else {
      turns.push({ reply: entry, said, seen: [] });
      said = entry.kind === "format_error" ? entry.content : "";
    }
  }
  return turns;
}

type StepFacts = { readonly step_id: number; readonly systemPrompt: string; readonly time: (at: number) => string };

function toStep({ reply, said, seen }: Turn, { step_id, systemPrompt, time }: StepFacts): TrajectoryStep {
  const { answer, startedAt, at } = reply;
  const finishedAt = seen.at(-1)?.at;
  const calls = reply.kind === "reply" ? reply.calls : (answer.tool_calls ?? []);
  return {
    step_id,
    system_prompt: systemPrompt,
    user_content: said,
    tools: [BASH_TOOL],
    assistant_content: {
      content: answer.content,
      reasoning_content: answer.reasoning_content ?? "",
      tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, arguments: shownArguments(call) } })),
    },
    observation: seen.map(({ result }) => ({ content: observationText(result) })),
    metric: {
      prompt_tokens_len: answer.usage.prompt_tokens,
      completion_tokens_len: answer.usage.completion_tokens,
      llm_infer_ms: twoDigits(answer.latency_ms),
      env_action_ms: finishedAt === undefined ? null : twoDigits(finishedAt - at),
      stop_reason: answer.stop_reason,
    },
    started_at: time(startedAt),
    finished_at: time(finishedAt ?? at),
  };
}

/** Text that is no JSON stays text. */
function shownArguments(call: ToolCall): unknown {
  try {
    return readArguments(call);
  } catch {
    return call.function.arguments;
  }
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
