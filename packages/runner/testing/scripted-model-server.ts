import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promptOf, scriptedBody } from "./scripted-bodies.ts";
import type { ModelReply, ModelRequest } from "./scripted-exchange.ts";

export type { ModelReply, ModelRequest } from "./scripted-exchange.ts";

export type ModelHandler = (request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>;

export type ModelServer = {
  /** Base address for a model spec, ending in /v1. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Most requests that were unanswered at one time. */
  readonly maxInFlight: number;
  /** Connections that were ever opened. */
  readonly connections: number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * An endpoint on loopback for tests that speaks chat completions, Responses and Anthropic's Messages, by the path that is
 * called. A script answers in its order, then repeats its last
 * reply; a handler decides for each request.
 */
export async function startModelServer(answers: ModelHandler | readonly ModelReply[] = [{}]): Promise<ModelServer> {
  const handler: ModelHandler =
    typeof answers === "function" ? answers : (_, index) => answers[Math.min(index, answers.length - 1)] ?? {};
  const requests: ModelRequest[] = [];
  const count = { inFlight: 0, maxInFlight: 0, connections: 0 };
  const server = createServer((incoming, outgoing) => {
    count.inFlight += 1;
    count.maxInFlight = Math.max(count.maxInFlight, count.inFlight);
    outgoing.once("close", () => {
      count.inFlight -= 1;
    });
    void serve(incoming, outgoing, requests, handler);
  });
  server.on("connection", () => {
    count.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => stop(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get maxInFlight() {
      return count.maxInFlight;
    },
    get connections() {
      return count.connections;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requests: ModelRequest[],
  handler: ModelHandler,
): Promise<void> {
  const request = await readRequest(incoming);
  requests.push(request);
  const reply = await handler(request, requests.length - 1);
  if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (reply.hang === "request") return;
  if (reply.hang === "reset") {
    incoming.socket.destroy();
    return;
  }
  const text = bodyText(reply, request);
  outgoing.writeHead(reply.status ?? 200, {
    "content-type": reply.contentType ?? "application/json",
    ...reply.headers,
  });
  if (reply.hang === "body") outgoing.write(text.slice(0, text.length / 2));
  else outgoing.end(text);
}

async function readRequest(incoming: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const body = text === "" ? undefined : JSON.parse(text);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers,
    authorization: incoming.headers.authorization,
    body,
    prompt: promptOf(body),
  };
}

function bodyText(reply: ModelReply, request: ModelRequest): string {
  if (typeof reply.body === "string") return reply.body;
  if (reply.body !== undefined) return JSON.stringify(reply.body);
  if ((reply.status ?? 200) >= 400) return JSON.stringify({ error: { message: reply.error ?? "scripted failure" } });
  return JSON.stringify(scriptedBody(reply, request));
}
