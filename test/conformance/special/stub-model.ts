import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type StubModel = AsyncDisposable & {
  readonly url: string;
  /** Questions in the order they arrived. */
  readonly asked: string[];
  /** Whether SLOW questions get an answer. */
  answersSlow: boolean;
  /** Resolves when a SLOW question waits. */
  readonly slowArrived: Promise<void>;
};

/** The model of the example runs: `The answer is 42.`, or what a word in the question asks for. */
export async function startStubModel(): Promise<StubModel> {
  const asked: string[] = [];
  const flaky = new Map<string, number>();
  let slow = (): void => {};
  const slowArrived = new Promise<void>((resolve) => {
    slow = resolve;
  });
  const stub = { answersSlow: true };
  const server = createServer(async (request, response) => {
    const question = await questionOf(request);
    asked.push(question);
    if (question.includes("FAIL500")) return fail(response, 500);
    if (question.includes("FAIL400")) return fail(response, 400);
    if (question.includes("SLOW") && !stub.answersSlow) return slow();
    const failures = flaky.get(question) ?? 0;
    if (question.includes("FLAKY") && failures < 3) {
      flaky.set(question, failures + 1);
      return fail(response, 500);
    }
    answer(response, question.includes("BAD") ? "<tool>" : "The answer is 42.");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(stub, {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    slowArrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function questionOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const { messages } = JSON.parse(text) as { messages: { content: string }[] };
  return messages.map((message) => message.content).join("\n");
}

function fail(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(`stub failure ${status}`);
}

function answer(response: ServerResponse, content: string): void {
  const body = {
    id: "stub",
    object: "chat.completion",
    created: 0,
    model: "stub-model",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
