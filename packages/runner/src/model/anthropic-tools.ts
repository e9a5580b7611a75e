import { type Fields, isFields } from "./fields.ts";

/** A function of the chat form as a tool; any other tool (the provider's own) is sent as it is. */
export function anthropicTool(tool: Fields): Fields {
  const called = tool["function"];
  if (!isFields(called)) return tool;
  const { name, description, parameters, strict } = called;
  const cache = tool["cache_control"];
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: "object", properties: {} },
    ...(strict === true && { strict }),
    ...(cache !== undefined && { cache_control: cache }),
  };
}

const CHOICES: Readonly<Record<string, Fields>> = {
  auto: { type: "auto" },
  required: { type: "any" },
  none: { type: "none" },
};

/** Which tool must be called and whether several at once may; undefined where nothing is asked for. */
export function anthropicToolChoice(choice: unknown, parallel: unknown): Fields | undefined {
  const chosen = choiceOf(choice);
  if (parallel !== false) return chosen;
  const { type } = chosen ?? { type: "auto" };
  return type === "none" ? chosen : { ...(chosen ?? { type }), disable_parallel_tool_use: true };
}

function choiceOf(choice: unknown): Fields | undefined {
  if (typeof choice === "string") return CHOICES[choice];
  if (!isFields(choice)) return undefined;
  const chosen = choice["function"];
  return isFields(chosen) ? { type: "tool", name: chosen["name"] } : choice;
}
