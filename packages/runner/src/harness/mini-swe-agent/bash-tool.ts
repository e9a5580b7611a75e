import type { ModelAnswer, ToolCall } from "@agentcompass/core/plugin";
import { isTooDeep } from "../../model/fields.ts";
import { callRefused, missingCommand, noToolCall, unknownTool, unreadableArguments } from "./wording.ts";

/** The one tool, as mini-swe-agent declares it on the wire: a model must see the same. */
export const BASH_TOOL = {
  type: "function",
  function: {
    name: "bash",
    description: "Execute a bash command",
    parameters: {
      type: "object",
      properties: { command: { type: "string", description: "The bash command to execute" } },
      required: ["command"],
    },
  },
} as const;

/** What the model asked for; `command` is whatever JSON stood there. */
export type Action = { readonly command: unknown; readonly tool_call_id: string };

export type Reading =
  | { readonly actions: readonly Action[]; readonly calls: readonly ToolCall[] }
  | { readonly formatError: string };

/**
 * The commands of a reply in their order. One call that is none of the tool's makes the whole reply a format error: nothing of it
 * is executed. `step` makes an id for calls that came without one.
 */
export function readActions(answer: ModelAnswer, step: number): Reading {
  const given = answer.tool_calls ?? [];
  if (given.length === 0) return { formatError: noToolCall(isCutOff(answer), answer.stop_reason) };
  const calls = given.map((call, index) => (call.id === "" ? { ...call, id: `call_${step}_${index + 1}` } : call));
  const actions: Action[] = [];
  for (const call of calls) {
    const read = readCall(call);
    if ("problems" in read) return { formatError: unusable(answer, read.problems) };
    actions.push({ command: read.command, tool_call_id: call.id });
  }
  return { actions, calls };
}

function readCall(call: ToolCall): { command: unknown } | { problems: readonly string[] } {
  const problems: string[] = [];
  let given: unknown;
  try {
    given = readArguments(call);
  } catch (error) {
    problems.push(unreadableArguments(error));
  }
  if (call.function.name !== BASH_TOOL.function.name) problems.push(unknownTool(call.function.name));
  const hasCommand = typeof given === "object" && given !== null && Object.hasOwn(given, "command");
  if (!hasCommand) problems.push(missingCommand());
  return problems.length > 0 ? { problems } : { command: (given as { command: unknown }).command };
}

/** The JSON of the arguments. Throws an Error for text that is none, or that has more levels than can be written down. */
export function readArguments({ function: called }: ToolCall): unknown {
  const value: unknown = JSON.parse(called.arguments);
  if (isTooDeep(value)) throw new Error("too many levels");
  return value;
}

/** A reply that ended at the token limit; some servers say "tool_calls" although no call is left in it. */
function isCutOff({ stop_reason, tool_calls }: ModelAnswer): boolean {
  return stop_reason === "length" || (stop_reason === "tool_calls" && !tool_calls?.length);
}

function unusable(answer: ModelAnswer, problems: readonly string[]): string {
  return isCutOff(answer) ? noToolCall(true, answer.stop_reason) : callRefused(problems);
}
