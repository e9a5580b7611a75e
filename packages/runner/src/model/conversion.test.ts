import { assistantMessage, type ChatMessage, type ModelAsk, type ToolCall } from "@agentcompass/core/plugin";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelSpec } from "../../testing/model-spec.ts";
import { readAnthropicAnswer } from "./anthropic-answer.ts";
import { anthropicRequest } from "./anthropic-request.ts";
import { requestParameters } from "./request-parameters.ts";
import { readResponsesAnswer } from "./responses-answer.ts";
import { responsesRequest } from "./responses-request.ts";

/** A turn as a conversation means it, whatever form it is sent in. */
type Said = { who: string; text: string; calls?: readonly [string, string, unknown][]; result?: string };

const words = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
const json = fc.jsonValue({ maxDepth: 1 });
const called = fc.record({
  name: fc.stringMatching(/^[a-z_]{1,8}$/),
  input: fc.dictionary(words, json, { maxKeys: 2 }),
});
const callOf = (id: string) =>
  called.map(
    ({ name, input }): ToolCall => ({ id, type: "function", function: { name, arguments: JSON.stringify(input) } }),
  );

/** A user's words, then turns of the assistant, each with the results of its calls or an answer of the user. */
const conversation = fc
  .tuple(
    fc.option(words),
    words,
    fc.array(fc.tuple(fc.option(words, { nil: "" }), fc.array(fc.nat(9), { maxLength: 3 }), words), { maxLength: 4 }),
  )
  .chain(([system, first, turns]) =>
    fc
      .tuple(...turns.flatMap(([, calls], turn) => calls.map((_, index) => callOf(`call_${turn}_${index}`))))
      .map((calls): readonly ChatMessage[] => {
        const left = [...calls];
        return [
          ...(system === null ? [] : [{ role: "system", content: system } as const]),
          { role: "user", content: first },
          ...turns.flatMap(([content, asked, next]): ChatMessage[] => {
            const tool_calls = asked.map(() => left.shift() as ToolCall);
            if (tool_calls.length === 0)
              return [
                { role: "assistant", content: content || "So." },
                { role: "user", content: next },
              ];
            const results = tool_calls.map((call) => ({ role: "tool", tool_call_id: call.id, content: next }) as const);
            return [{ role: "assistant", content, tool_calls }, ...results];
          }),
        ];
      }),
  );

function meant(messages: readonly ChatMessage[]): Said[] {
  return messages.map(({ role, content, tool_calls, tool_call_id }) => ({
    who: role === "tool" ? `result of ${tool_call_id}` : role,
    text: String(content),
    ...(tool_calls && { calls: tool_calls.map(readCall) }),
  }));
}

function readCall({ id, function: { name, arguments: text } }: ToolCall): [string, string, unknown] {
  return [id, name, JSON.parse(text)];
}

// biome-ignore lint/suspicious/noExplicitAny: a body as an endpoint reads it
function readResponses({ input }: any): Said[] {
  const turns: Said[] = [];
  for (const item of input) {
    if (item.type === "function_call_output") turns.push({ who: `result of ${item.call_id}`, text: item.output });
    else if (item.type !== "function_call") turns.push({ who: item.role, text: item.content });
    else {
      if (turns.at(-1)?.who !== "assistant") turns.push({ who: "assistant", text: "" });
      const turn = turns.at(-1) as Said;
      turn.calls = [...(turn.calls ?? []), [item.call_id, item.name, JSON.parse(item.arguments)]];
    }
  }
  return turns;
}

// biome-ignore lint/suspicious/noExplicitAny: a body as an endpoint reads it
function readAnthropic({ system, messages }: any): Said[] {
  const turns: Said[] = system === undefined ? [] : [{ who: "system", text: system }];
  for (const { role, content } of messages) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const turn: Said = { who: role, text: "" };
    let isUsed = false;
    for (const block of blocks) {
      if (block.type === "tool_result") turns.push({ who: `result of ${block.tool_use_id}`, text: block.content });
      else isUsed = true;
      if (block.type === "text") turn.text += block.text;
      if (block.type === "tool_use") turn.calls = [...(turn.calls ?? []), [block.id, block.name, block.input]];
    }
    if (isUsed) turns.push(turn);
  }
  return turns;
}

const FORMS = [
  { name: "openai-responses", request: responsesRequest, understood: readResponses },
  { name: "anthropic", request: anthropicRequest, understood: readAnthropic },
] as const;

describe.each(FORMS)("a conversation with tool calls as $name", ({ request, understood }) => {
  const bodyOf = (ask: ModelAsk) => request("m", ask, requestParameters(modelSpec(""), ask)).body;

  it("says what it said in the chat form, in its order, and leaves it unchanged", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const before = structuredClone(messages);
        const said = JSON.parse(JSON.stringify(meant(messages)));
        expect(JSON.parse(JSON.stringify(understood(bodyOf({ messages }))))).toEqual(said);
        expect(messages).toEqual(before);
      }),
    );
  });
});

const text = fc.string({ minLength: 1, maxLength: 8 });
const responsesItem = fc.oneof(
  fc.record({ type: fc.constant("reasoning"), id: text, summary: fc.constant([]), encrypted_content: text }),
  fc.record({
    type: fc.constant("message"),
    id: text,
    content: fc.array(fc.record({ type: fc.constant("output_text"), text })),
  }),
  fc.record({ type: fc.constant("function_call"), id: text, call_id: text, name: text, arguments: fc.json() }),
  fc.record({ type: fc.constant("web_search_call"), id: text }),
);
const anthropicBlock = fc.oneof(
  fc.record({ type: fc.constant("thinking"), thinking: fc.string(), signature: text }),
  fc.record({ type: fc.constant("redacted_thinking"), data: text }),
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: fc.dictionary(text, json) }),
);

describe("an answer goes back as it came", () => {
  const next: ChatMessage = { role: "user", content: "Go on." };

  it("as openai-responses", () => {
    fc.assert(
      fc.property(fc.array(responsesItem), (output) => {
        const answer = { ...readResponsesAnswer({ output, status: "completed" }, "a"), latency_ms: 1 };
        const ask = { messages: [next, assistantMessage(answer), next] };
        const { body } = responsesRequest("m", ask, requestParameters(modelSpec(""), ask));
        expect((body["input"] as unknown[]).slice(1, -1)).toEqual(output);
        const calls = output.flatMap((item) => ("call_id" in item ? [[item.call_id, item.name, item.arguments]] : []));
        expect((answer.tool_calls ?? []).map((call) => [call.id, call.function.name, call.function.arguments])).toEqual(
          calls,
        );
      }),
    );
  });

  it("as anthropic", () => {
    fc.assert(
      fc.property(fc.array(anthropicBlock, { minLength: 1 }), (content) => {
        const answer = { ...readAnthropicAnswer({ content }, "a"), latency_ms: 1 };
        const ask = { messages: [next, assistantMessage(answer), next] };
        const { body } = anthropicRequest("m", ask, requestParameters(modelSpec(""), ask));
        expect((body["messages"] as unknown[])[1]).toEqual({ role: "assistant", content });
        const calls = content.flatMap((block) => ("input" in block ? [[block.id, block.name, block.input]] : []));
        expect(JSON.stringify((answer.tool_calls ?? []).map(readCall))).toEqual(JSON.stringify(calls));
      }),
    );
  });
});
