import { getEventListeners, setMaxListeners } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import { sendRequest } from "./transport.ts";

async function serve(listener: RequestListener): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const server = createServer(listener).on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

const post = (url: string): Promise<Response> =>
  sendRequest(url, { method: "POST", headers: { authorization: "Bearer k" }, body: '{"a":1}' });

it("uses one connection for calls that follow each other, and sends method, headers and body", async () => {
  const seen: string[] = [];
  const { url, connections } = await serve((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${Buffer.concat(parts)}`);
      response.end("{}");
    });
  });
  for (let call = 0; call < 5; call += 1) expect((await post(`${url}/v1/x?y=1`)).status).toBe(200);
  expect(seen).toEqual(Array(5).fill('POST /v1/x?y=1 Bearer k {"a":1}'));
  expect(connections()).toBe(1);
});

it("calls again where a kept connection was closed as the request went out", async () => {
  let calls = 0;
  const { url, connections } = await serve((request, response) => {
    calls += 1;
    if (calls === 2) request.socket.resetAndDestroy();
    else response.end("{}");
  });
  await post(url);
  expect((await post(url)).status).toBe(200);
  expect([calls, connections()]).toEqual([3, 2]);
});

it("fails where the first connection is reset, without another call", async () => {
  let calls = 0;
  const { url } = await serve((request) => {
    calls += 1;
    request.socket.resetAndDestroy();
  });
  await expect(post(url)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(calls).toBe(1);
});

it("decodes an answer that came compressed, asked or not", async () => {
  const { url } = await serve((_, response) =>
    response.setHeader("content-encoding", "gzip").end(gzipSync('{"ok":"模型"}')),
  );
  const answer = await post(url);
  expect(await answer.json()).toEqual({ ok: "模型" });
  expect(answer.headers.get("content-encoding")).toBeNull();
});

it("follows a redirect that keeps method and body within one origin", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/old") response.writeHead(308, { location: "/new" }).end();
    else response.end(`${request.method} ${request.url} ${request.headers.authorization}`);
  });
  expect(await (await post(`${url}/old`)).text()).toBe("POST /new Bearer k");
});

it.each([301, 302, 303, 307, 308])(
  "takes no key to another origin by status %i, and names that origin",
  async (status) => {
    let reached = 0;
    const other = await serve((_, response) => {
      reached += 1;
      response.end("{}");
    });
    const { url } = await serve((_, response) => response.writeHead(status, { location: `${other.url}/v1` }).end());
    const answer = await post(url);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(`${other.url}/v1`) } });
    expect(reached).toBe(0);
  },
);

it("ends a circle of redirects", async () => {
  const { url } = await serve((_, response) => response.writeHead(307, { location: "/again" }).end());
  expect((await post(url)).status).toBe(307);
});

it("stops with the signal's reason, before and during a call", async () => {
  const { url } = await serve(() => undefined);
  const reason = new Error("stopped");
  await expect(sendRequest(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const call = sendRequest(url, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await expect(call).rejects.toBe(reason);
});

/** Answers each connection with these bytes and closes it. */
async function serveBytes(answer: string | Buffer): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const packed = gzipSync('{"ok":true}');
const gzipHead = (length: number): Buffer =>
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${length}\r\n\r\n`);

it.each([
  ["a change of protocol", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", /closed without/],
  ["a status that HTTP does not know", "HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}", /status 999/],
  ["nothing", "", /socket hang up/],
  ["no HTTP", "hello\r\n\r\n", /Parse Error/],
  ["a body that is cut", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}", /aborted/],
  ["a chunk without length", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", /Parse Error/],
  ["headers without end", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n{}`, /Header overflow/],
  ["a gzip that is cut", Buffer.concat([gzipHead(20), packed.subarray(0, 20)]), /unexpected end of file/],
  ["a gzip that is none", Buffer.concat([gzipHead(2), Buffer.from("{}")]), /incorrect header/],
])("ends with an error for an answer of %s", async (_case, answer, reason) => {
  await expect(post(await serveBytes(answer))).rejects.toThrow(reason);
});

it("gives up an answer that never ends, and one that unpacks to too much", { timeout: 60_000 }, async () => {
  const piece = Buffer.alloc(1 << 20, " ");
  const { url } = await serve((request, response) => {
    if (request.url === "/packed")
      response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(65 << 20), { level: 1 }));
    else {
      const more = (): void => void (response.destroyed || response.write(piece, () => setImmediate(more)));
      more();
    }
  });
  await expect(post(`${url}/endless`)).rejects.toThrow(/longer than 64 MiB/);
  await expect(post(`${url}/packed`)).rejects.toThrow(/longer than 64 MiB/);
});

it("leaves neither connections nor listeners after a hundred calls that were stopped at once", async () => {
  const open = new Set<object>();
  const arrived: (() => void)[] = [];
  const { url } = await serve((request, response) => {
    open.add(request.socket);
    request.socket.once("close", () => open.delete(request.socket));
    if (request.url === "/body") response.writeHead(200, { "content-length": 9 }).write("half");
    arrived.pop()?.();
  });
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const reason = new Error("stopped");
  const all = Array.from({ length: 100 }, () => new Promise<void>((resolve) => arrived.push(resolve)));
  const calls = Array.from({ length: 100 }, (_, index) =>
    sendRequest(`${url}${index % 2 ? "/body" : "/head"}`, { method: "POST", signal: controller.signal }),
  );
  const ended = Promise.allSettled(calls);
  await Promise.all(all);
  controller.abort(reason);
  expect(await ended).toEqual(Array(100).fill({ status: "rejected", reason }));
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  await vi.waitFor(() => expect(open.size).toBe(0));
});
