/**
 * An OpenAI-compatible chat endpoint over a local model file, on a free port of 127.0.0.1. Started by model-endpoint.mjs with an
 * IPC channel, over which it reports `{ port, model }` once it listens.
 *
 * node model-server.mjs INSTALL_DIRECTORY MODEL_FILE MODEL_ID [--stay]
 *
 * Without --stay it ends when its starter does, however that ended.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { functionsOf, historyOf, textOf, toolCallsOf } from "./model-tools.mjs";

/** Answers made at the same time; others wait their turn. */
const SLOTS = 4;
const CONTEXT_TOKENS = 2048;

const [installDirectory, modelFile, modelId, lifetime] = process.argv.slice(2);
const library = join(installDirectory, "node_modules", "node-llama-cpp", "dist", "index.js");
const { getLlama, LlamaChat } = await import(pathToFileURL(library).href);

// One thread: more of them wait for each other by spinning, which on a busy machine takes minutes for one answer.
const llama = await getLlama({ build: "never", gpu: false, logLevel: "error", maxThreads: 1 });
const model = await llama.loadModel({ modelPath: modelFile });
const context = await model.createContext({ contextSize: CONTEXT_TOKENS, sequences: SLOTS, threads: 1 });
const free = Array.from({ length: SLOTS }, () => context.getSequence());
const waiting = [];

/** As with hosted models, the id that is asked for is an alias and the answer names what served it. */
const servedId = basename(modelFile);

class Refused extends Error {
  constructor(status, message, code = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    const status = error instanceof Refused ? error.status : 500;
    const type = status < 500 ? "invalid_request_error" : "server_error";
    send(response, status, { error: { message: error.message, type, code: error.code ?? null } });
  });
});

async function answer(request, response) {
  if (request.method === "GET" && request.url === "/v1/models") {
    const data = [modelId, servedId].map((id) => ({ id, object: "model", owned_by: "local" }));
    return send(response, 200, { object: "list", data });
  }
  if (request.method !== "POST" || request.url !== "/v1/chat/completions") throw new Refused(404, "not found");
  const ask = checked(await bodyOf(request));
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  send(response, 200, await withSlot((sequence) => complete(sequence, ask, gone.signal)));
}

function send(response, status, body) {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Refused(400, "the body is not JSON");
  }
}

function checked(ask) {
  if (!Array.isArray(ask?.messages) || ask.messages.length === 0)
    throw new Refused(400, "messages: a list is required");
  if (![modelId, servedId].includes(ask.model)) throw new Refused(404, `model ${ask.model} does not exist`);
  if (ask.stream) throw new Refused(400, "stream: this endpoint does not stream");
  const tokens = model.tokenize(ask.messages.map((message) => textOf(message.content)).join("\n")).length;
  if (tokens + answerTokens(ask) > CONTEXT_TOKENS)
    throw new Refused(400, `maximum context length is ${CONTEXT_TOKENS} tokens`, "context_length_exceeded");
  return ask;
}

/** Runs `work` with a sequence of its own, in the order of asking. */
async function withSlot(work) {
  const sequence = free.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
  try {
    return await work(sequence);
  } finally {
    const next = waiting.shift();
    if (next) next(sequence);
    else free.push(sequence);
  }
}

async function complete(sequence, ask, signal) {
  signal.throwIfAborted();
  // Nothing of the last answer may tint this one.
  await sequence.clearHistory();
  const chat = new LlamaChat({ contextSequence: sequence });
  const before = sequence.tokenMeter.getState();
  try {
    const { response, functionCalls, metadata } = await chat.generateResponse(historyOf(ask.messages), {
      functions: functionsOf(ask),
      maxTokens: answerTokens(ask),
      temperature: ask.temperature ?? 0.7,
      topP: ask.top_p,
      seed: ask.seed,
      customStopTriggers: ask.stop ? [ask.stop].flat() : undefined,
      signal,
    });
    const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before);
    const toolCalls = toolCallsOf(functionCalls, randomUUID);
    const message = { role: "assistant", content: response, ...(toolCalls && { tool_calls: toolCalls }) };
    return completion(message, metadata.stopReason, usedInputTokens, usedOutputTokens);
  } finally {
    chat.dispose({ disposeSequence: false });
  }
}

function answerTokens(ask) {
  return ask.max_completion_tokens ?? ask.max_tokens ?? 256;
}

const FINISH_REASONS = { maxTokens: "length", functionCalls: "tool_calls" };

function completion(message, stopReason, promptTokens, completionTokens) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: servedId,
    choices: [
      {
        index: 0,
        message,
        finish_reason: FINISH_REASONS[stopReason] ?? "stop",
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

if (lifetime !== "--stay") process.on("disconnect", () => process.exit(0));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port, model: modelId }));
