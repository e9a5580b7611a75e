/** Tools of chat completions in the terms of node-llama-cpp, for model-server.mjs. */

/** Undefined without tools, or when the caller wants none to be called. */
export function functionsOf({ tools, tool_choice }) {
  if (!tools?.length || tool_choice === "none") return undefined;
  return Object.fromEntries(
    tools.map((tool) => [
      tool.function.name,
      { description: tool.function.description, params: tool.function.parameters },
    ]),
  );
}

/** Messages as a history that ends with the answer to make; the results of calls go beside the calls. */
export function historyOf(messages) {
  const results = new Map(
    messages.filter(({ role }) => role === "tool").map((message) => [message.tool_call_id, textOf(message.content)]),
  );
  const items = messages.filter(({ role }) => role !== "tool").map((message) => itemOf(message, results));
  const system = items[0].type === "system" ? [] : [{ type: "system", text: "You are a helpful AI assistant." }];
  return [...system, ...items, { type: "model", response: [] }];
}

function itemOf({ role, content, tool_calls }, results) {
  const text = textOf(content);
  if (role !== "assistant") return { type: role === "user" ? "user" : "system", text };
  const calls = (tool_calls ?? []).map(({ id, function: called }) => ({
    type: "functionCall",
    name: called.name,
    params: JSON.parse(called.arguments),
    result: results.get(id) ?? null,
  }));
  return { type: "model", response: text === "" && calls.length > 0 ? calls : [text, ...calls] };
}

export function textOf(content) {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

/** The calls of an answer as `tool_calls`; undefined when there is none. */
export function toolCallsOf(functionCalls, newId) {
  if (!functionCalls?.length) return undefined;
  return functionCalls.map(({ functionName, params }) => ({
    id: `call_${newId()}`,
    type: "function",
    function: { name: functionName, arguments: JSON.stringify(params ?? {}) },
  }));
}
