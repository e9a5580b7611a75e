import type { ModelReply, ModelRequest } from "./scripted-exchange.ts";

/** The body that an endpoint answers with, in the form of the interface that was called: its path says which. */
export function scriptedBody(reply: ModelReply, request: ModelRequest): unknown {
  const path = request.path.split("?")[0] ?? "";
  if (path.endsWith("/responses")) return responsesBody(reply, request);
  return path.endsWith("/messages") ? messagesBody(reply, request) : chatBody(reply, request);
}

/** Text of the last thing said, in any of the three interfaces. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
export function promptOf(body: any): string {
  const last = (body?.messages ?? body?.input)?.at?.(-1);
  const content: unknown = last?.content ?? last?.output;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? "");
  const texts = content.map((part) => part?.text ?? part?.content).filter((text) => typeof text === "string");
  return texts.length > 0 ? texts.join("") : JSON.stringify(content);
}

const text = ({ content }: ModelReply): string | null => (content === undefined ? "The answer is 42." : content);

// biome-ignore lint/suspicious/noExplicitAny: tests script calls of any shape
const calls = ({ tool_calls }: ModelReply): readonly any[] => tool_calls ?? [];

function modelOf(reply: ModelReply, request: ModelRequest): string {
  return reply.model ?? request.body?.model ?? "scripted";
}

function chatBody(reply: ModelReply, request: ModelRequest): unknown {
  const message = {
    role: "assistant",
    content: text(reply),
    ...(reply.reasoning_content !== undefined && { reasoning_content: reply.reasoning_content }),
    ...(reply.reasoning !== undefined && { reasoning: reply.reasoning }),
    ...(reply.tool_calls && { tool_calls: reply.tool_calls }),
  };
  return {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: 1_700_000_000,
    model: modelOf(reply, request),
    choices: [{ index: 0, message, finish_reason: reply.stop_reason ?? "stop" }],
    usage: reply.usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

function responsesBody(reply: ModelReply, request: ModelRequest): unknown {
  const thought = reply.reasoning_content ?? reply.reasoning;
  const said = text(reply);
  const isCut = reply.stop_reason === "length";
  return {
    id: "resp_scripted",
    object: "response",
    created_at: 1_700_000_000,
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: request.body?.tools ?? [],
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    error: null,
    model: modelOf(reply, request),
    output: [
      ...(thought === undefined
        ? []
        : [
            {
              type: "reasoning",
              id: "rs_1",
              summary: [{ type: "summary_text", text: thought }],
              encrypted_content: "e",
            },
          ]),
      ...(said === null ? [] : [messageItem(said)]),
      ...calls(reply).map((call) => ({
        type: "function_call",
        id: `fc_${call.id}`,
        call_id: call.id,
        ...call.function,
      })),
    ],
    usage: reply.usage ?? { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  };
}

function messageItem(said: string): unknown {
  const content = [{ type: "output_text", text: said, annotations: [] }];
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
}

function messagesBody(reply: ModelReply, request: ModelRequest): unknown {
  const thought = reply.reasoning_content ?? reply.reasoning;
  const said = text(reply);
  return {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model: modelOf(reply, request),
    content: [
      ...(thought === undefined ? [] : [{ type: "thinking", thinking: thought, signature: "sig" }]),
      ...(said === null ? [] : [{ type: "text", text: said }]),
      ...calls(reply).map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.function.name,
        input: JSON.parse(call.function.arguments),
      })),
    ],
    stop_reason: reply.stop_reason ?? (reply.tool_calls ? "tool_use" : "end_turn"),
    usage: reply.usage ?? { input_tokens: 10, output_tokens: 5 },
  };
}
