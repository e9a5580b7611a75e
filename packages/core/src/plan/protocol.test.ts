import { describe, expect, it } from "vitest";
import { selectProtocol } from "./protocol.ts";

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
      'model.api_protocol: "anthropic" is not spoken by this harness; it supports openai-chat, openai-responses',
    );
  });
});
