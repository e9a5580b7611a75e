import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../testing/scripted-model-server.ts";
import { anthropicProtocol } from "./anthropic.ts";
import { endpointAddress } from "./endpoint-address.ts";
import { openAiChatProtocol } from "./openai-chat.ts";
import { openAiResponsesProtocol } from "./openai-responses.ts";
import { createModel, type ModelProtocol } from "./protocol.ts";

const PROTOCOLS = [openAiChatProtocol, openAiResponsesProtocol, anthropicProtocol];

/** The address that a request of a protocol would go to, its query last. */
function called(protocol: (typeof PROTOCOLS)[number], baseUrl: string): string | undefined {
  const address = endpointAddress(baseUrl, protocol);
  if (address === undefined) return undefined;
  const query = new URLSearchParams(address.query).toString();
  return `${address.root}${protocol.path}${query === "" ? "" : `?${query}`}`;
}

describe("where requests go", () => {
  it.each([
    ["", "https://api.openai.com/v1/chat/completions"],
    ["https://api.openai.com", "https://api.openai.com/v1/chat/completions"],
    ["https://api.openai.com/", "https://api.openai.com/v1/chat/completions"],
    ["https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"],
    ["http://h:8000", "http://h:8000/chat/completions"],
    ["http://h:8000/v1", "http://h:8000/v1/chat/completions"],
    ["http://h:8000/v1//", "http://h:8000/v1/chat/completions"],
    ["http://h:8000/v1/chat/completions", "http://h:8000/v1/chat/completions"],
    [" http://h:8000/v1 ", "http://h:8000/v1/chat/completions"],
    ["https://h/v1beta/openai/", "https://h/v1beta/openai/chat/completions"],
    [
      "https://h.azure.test/openai/deployments/d?api-version=2026-01-01",
      "https://h.azure.test/openai/deployments/d/chat/completions?api-version=2026-01-01",
    ],
    ["https://h/v1/?a=1&b=x%20y", "https://h/v1/chat/completions?a=1&b=x+y"],
  ])("openai-chat: %j calls %s", (baseUrl, url) => {
    expect(called(openAiChatProtocol, baseUrl)).toBe(url);
  });

  it.each([
    ["", "https://api.openai.com/v1/responses"],
    ["http://h/v1/", "http://h/v1/responses"],
    ["http://h/v1/responses", "http://h/v1/responses"],
    ["http://h/v1/chat/completions", "http://h/v1/responses"],
    ["https://h/openai/v1?api-version=preview", "https://h/openai/v1/responses?api-version=preview"],
  ])("openai-responses: %j calls %s", (baseUrl, url) => {
    expect(called(openAiResponsesProtocol, baseUrl)).toBe(url);
  });

  it.each([
    ["", "https://api.anthropic.com/v1/messages"],
    ["https://api.anthropic.com/", "https://api.anthropic.com/v1/messages"],
    ["https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"],
    ["https://h/anthropic", "https://h/anthropic/v1/messages"],
    ["https://h/anthropic/v1/", "https://h/anthropic/v1/messages"],
    ["https://h/v1/messages?team=a", "https://h/v1/messages?team=a"],
  ])("anthropic: %j calls %s", (baseUrl, url) => {
    expect(called(anthropicProtocol, baseUrl)).toBe(url);
  });

  it.each(["h:8000/v1", "ftp://h", "http://", "http:///v1", "file:///etc/passwd"])("%j is no address", (baseUrl) => {
    for (const protocol of PROTOCOLS) expect(called(protocol, baseUrl)).toBeUndefined();
  });

  const segment = fc.stringMatching(/^[a-z0-9._~-]{1,8}$/).filter((text) => !/^\.+$/.test(text));
  const query = fc.dictionary(fc.stringMatching(/^[a-z-]{1,6}$/), fc.string({ unit: "grapheme-ascii", maxLength: 6 }));
  it("does not depend on slashes at the end, nor on whether the path of the call is written too", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PROTOCOLS),
        fc.array(segment, { minLength: 1, maxLength: 4 }).filter((parts) => parts.at(-1) !== "v1"),
        query,
        fc.nat(2),
        (protocol, segments, pairs, slashes) => {
          const root = `http://h.test:1234/${["gate", ...segments].join("/")}`;
          const search = new URLSearchParams(pairs).toString();
          const end = `${"/".repeat(slashes)}${search === "" ? "" : `?${search}`}`;
          const plain = called(protocol, root + end);
          expect(called(protocol, `${root}${protocol.path}${end}`)).toBe(plain);
          expect(new URL(plain ?? "").search).toBe(search === "" ? "" : `?${search}`);
          expect(new URL(plain ?? "").pathname).not.toMatch(/\/\/|\/v1\/v1\/messages/);
          expect(new URL(plain ?? "").pathname.endsWith(protocol.path)).toBe(true);
        },
      ),
    );
  });
});

describe("the request line that an endpoint sees", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it.each<[ModelProtocol, string, object, string]>([
    ["openai-chat", "", {}, "/chat/completions"],
    ["openai-chat", "/v1/", {}, "/v1/chat/completions"],
    ["openai-chat", "/d?api-version=7", {}, "/d/chat/completions?api-version=7"],
    ["openai-chat", "/d/?api-version=7", { team: "a" }, "/d/chat/completions?api-version=7&team=a"],
    ["openai-chat", "/d?api-version=7", { "api-version": "8" }, "/d/chat/completions?api-version=8"],
    ["openai-responses", "/v1", {}, "/v1/responses"],
    ["openai-responses", "/v1?api-version=7", {}, "/v1/responses?api-version=7"],
    ["anthropic", "", {}, "/v1/messages"],
    ["anthropic", "/v1", {}, "/v1/messages"],
    ["anthropic", "/gate/v1/?api-version=7", { team: "a" }, "/gate/v1/messages?api-version=7&team=a"],
  ])("%s with %j and extra_query %j is %s", async (protocol, path, extra_query, line) => {
    const base_url = server.url.replace(/\/v1$/, "") + path;
    const spec = {
      id: "m",
      base_url,
      api_key: "k",
      api_protocol: protocol,
      params: { extra_query },
      wrap_api_key: false,
    };
    const answer = await createModel(protocol, spec).complete({ messages: [{ role: "user", content: "?" }] });
    expect(answer.content).toBe("The answer is 42.");
    expect(server.requests.at(-1)?.path).toBe(line);
  });
});
