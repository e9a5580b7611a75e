import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
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
