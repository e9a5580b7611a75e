/**
 * A chat completions endpoint on loopback that answers every request alike, in a process of its own so that what is
 * measured does not share its event loop. Argument: milliseconds before each answer. Prints its port; GET /count says
 * how many requests came and how many were open at once, and starts counting again. Ends with its standard input.
 */
import { createServer } from "node:http";

const delayMs = Number(process.argv[2] ?? 0);
const count = { requests: 0, inFlight: 0, maxInFlight: 0 };

const server = createServer((request, response) => {
  if (request.method === "GET") {
    send(response, { requests: count.requests, maxInFlight: count.maxInFlight });
    Object.assign(count, { requests: 0, maxInFlight: 0 });
    return;
  }
  count.requests += 1;
  count.inFlight += 1;
  count.maxInFlight = Math.max(count.maxInFlight, count.inFlight);
  response.once("close", () => {
    count.inFlight -= 1;
  });
  const answer = () => send(response, COMPLETION);
  request.on("end", () => (delayMs > 0 ? setTimeout(answer, delayMs) : answer())).resume();
});

const COMPLETION = {
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "stub",
  choices: [{ index: 0, message: { role: "assistant", content: "The answer is 42." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26 },
};

function send(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

// A client that keeps its connection may pause for long between two requests.
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit(0)).resume();
