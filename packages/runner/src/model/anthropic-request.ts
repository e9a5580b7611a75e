import type { ModelAsk } from "@agentcompass/core/plugin";
import { anthropicMessages, systemPrompt } from "./anthropic-messages.ts";
import { anthropicTool, anthropicToolChoice } from "./anthropic-tools.ts";
import type { RequestBody } from "./endpoint-protocol.ts";
import { amountOf, type Fields, fieldsIn, fieldsOf, isFields } from "./fields.ts";
import { parameterNames, type RequestParameters } from "./request-parameters.ts";

/** The interface demands a limit: this one where none is set, on top of the budget that a model may think. */
export const DEFAULT_MAX_TOKENS = 8192;

const RENAMED: Readonly<Record<string, string>> = {
  max_completion_tokens: "max_tokens",
  stop: "stop_sequences",
  reasoning_effort: "output_config.effort",
  response_format: "output_config.format",
  user: "metadata.user_id",
};

/**
 * The body of a Messages request, from a conversation, tools and parameters in the chat form (reference 7.7). Parameters of this
 * form (`thinking`, `stop_sequences`, ...) are sent as they are.
 */
export function anthropicRequest(model: string, ask: ModelAsk, parameters: RequestParameters): RequestBody {
  const tools = fieldsIn(ask.tools).map(anthropicTool);
  const system = systemPrompt(ask.messages);
  return {
    body: {
      ...anthropicParameters(parameters.sent, tools.length > 0),
      ...(tools.length > 0 && { tools }),
      ...(system !== undefined && { system }),
      ...parameters.extraBody,
      model,
      messages: anthropicMessages(ask.messages),
    },
    parameters: parameterNames(parameters, RENAMED),
  };
}

function anthropicParameters(sent: Fields, hasTools: boolean): Fields {
  const { max_tokens, max_completion_tokens, stop, reasoning_effort, response_format, user, ...others } = sent;
  const { tool_choice, parallel_tool_calls, ...rest } = others;
  const format = outputFormat(response_format);
  const output = {
    ...(reasoning_effort !== undefined && { effort: reasoning_effort }),
    ...(format && { format }),
    ...fieldsOf(rest["output_config"]),
  };
  const choice = hasTools ? anthropicToolChoice(tool_choice, parallel_tool_calls) : undefined;
  return {
    max_tokens: max_completion_tokens ?? max_tokens ?? DEFAULT_MAX_TOKENS + thinkingBudget(rest["thinking"]),
    ...(stop !== undefined && { stop_sequences: Array.isArray(stop) ? stop : [stop] }),
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...rest,
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...(choice && { tool_choice: choice }),
  };
}

/** Tokens of thinking count against the limit of the answer. */
function thinkingBudget(thinking: unknown): number {
  return amountOf(fieldsOf(thinking)["budget_tokens"]) ?? 0;
}

/** The interface knows schemas alone; "any JSON object" has no word here. */
function outputFormat(format: unknown): Fields | undefined {
  const schema = isFields(format) ? fieldsOf(format["json_schema"])["schema"] : undefined;
  return schema === undefined ? undefined : { type: "json_schema", schema };
}
