import { describe, expect, it } from "vitest";
import { createModel } from "./protocol.ts";

const SPEC = { id: "m", base_url: "", api_key: "", api_protocol: "auto", params: {}, wrap_api_key: false };

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
