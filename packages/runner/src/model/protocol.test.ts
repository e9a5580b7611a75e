import { describe, expect, it } from "vitest";
import { createModel, selectProtocol } from "./protocol.ts";

const SPEC = { id: "m", base_url: "", api_key: "", api_protocol: "auto", params: {}, wrap_api_key: false };

describe("selectProtocol", () => {
  it.each([
    { configured: "auto", selected: "openai-chat" },
    { configured: "", selected: "openai-chat" },
    { configured: [], selected: "openai-chat" },
    { configured: undefined, selected: "openai-chat" },
    { configured: "OpenAI-Responses", selected: "openai-responses" },
    { configured: ["anthropic", "openai-responses", "openai-chat"], selected: "openai-responses" },
  ])("of $configured is $selected", ({ configured, selected }) => {
    expect(selectProtocol(configured, ["openai-chat", "openai-responses"])).toBe(selected);
  });

  it("asks nothing of a component without a model", () => {
    expect(selectProtocol("anthropic", [])).toBeUndefined();
  });

  it("refuses what is not shared and names what is supported", () => {
    expect(() => selectProtocol(["anthropic"], ["openai-chat", "openai-responses"])).toThrow(
      'model.api_protocol: "anthropic" is not supported here; supported are openai-chat, openai-responses',
    );
  });
});

describe("createModel", () => {
  it("creates a chat model without connecting", () => {
    expect(createModel("openai-chat", SPEC)).toHaveProperty("complete");
  });

  it.each(["openai-responses", "anthropic"])("refuses %s by name as of a later release", (protocol) => {
    expect(() => createModel(protocol, SPEC)).toThrow(
      expect.objectContaining({ code: "component.unavailable", message: expect.stringContaining(`"${protocol}"`) }),
    );
  });

  it("refuses an unknown protocol and lists the known ones", () => {
    expect(() => createModel("grpc", SPEC)).toThrow(/unknown protocol "grpc"; known are openai-chat/);
  });
});
