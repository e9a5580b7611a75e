import type { ModelAsk } from "@agentcompass/core/plugin";
import type { RequestBody } from "./endpoint-protocol.ts";
import { type Fields, fieldsIn, fieldsOf, isFields } from "./fields.ts";
import { parameterNames, type RequestParameters } from "./request-parameters.ts";
import { responsesInput } from "./responses-input.ts";

/** Names of the chat form under which people write parameters, and where they stand in this one. */
const RENAMED: Readonly<Record<string, string>> = {
  max_tokens: "max_output_tokens",
  max_completion_tokens: "max_output_tokens",
  reasoning_effort: "reasoning.effort",
  response_format: "text.format",
  verbosity: "text.verbosity",
};

/**
 * The body of a Responses request, from a conversation, tools and parameters in the chat form (reference 7.7). Parameters of
 * this form are sent as they are and win over the chat form's.
 */
export function responsesRequest(model: string, ask: ModelAsk, parameters: RequestParameters): RequestBody {
  const tools = ask.tools && ask.tools.length > 0 ? { tools: fieldsIn(ask.tools).map(responsesTool) } : {};
  return {
    body: {
      ...responsesParameters(parameters.sent),
      ...tools,
      ...parameters.extraBody,
      model,
      input: responsesInput(ask.messages),
    },
    parameters: parameterNames(parameters, RENAMED),
  };
}

function responsesParameters(sent: Fields): Fields {
  const { max_tokens, max_completion_tokens, reasoning_effort, response_format, verbosity, tool_choice, ...rest } =
    sent;
  const limit = max_completion_tokens ?? max_tokens;
  const format = response_format === undefined ? {} : { format: textFormat(response_format) };
  const text = { ...format, ...(verbosity !== undefined && { verbosity }), ...fieldsOf(rest["text"]) };
  const effort = reasoning_effort === undefined ? {} : { effort: reasoning_effort };
  const reasoning = { ...effort, ...fieldsOf(rest["reasoning"]) };
  return {
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...rest,
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(Object.keys(text).length > 0 && { text }),
    ...(tool_choice !== undefined && { tool_choice: responsesToolChoice(tool_choice) }),
  };
}

/** A schema stands in a mapping of its own in the chat form, and beside its type here. */
function textFormat(format: unknown): unknown {
  if (!isFields(format) || !isFields(format["json_schema"])) return format;
  return { type: "json_schema", ...format["json_schema"] };
}

function responsesToolChoice(choice: unknown): unknown {
  const chosen = isFields(choice) ? choice["function"] : undefined;
  return isFields(chosen) ? { type: "function", name: chosen["name"] } : choice;
}

/** A function without `strict` is not strict in the chat form, but would be here. */
function responsesTool(tool: Fields): Fields {
  const called = tool["function"];
  if (!isFields(called)) return tool;
  return { type: "function", strict: false, ...called };
}
