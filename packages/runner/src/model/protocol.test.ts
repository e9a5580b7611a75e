import { describe, expect, it } from "vitest";
import { createModel } from "./protocol.ts";

const SPEC = { id: "m", base_url: "", api_key: "", api_protocol: "auto", params: {}, wrap_api_key: false };

describe("createModel", () => {
  it.each(["openai-chat", "openai-responses", "anthropic"])(
    "creates a model that speaks %s without connecting",
    (protocol) => {
      expect(createModel(protocol, SPEC)).toHaveProperty("complete");
    },
  );

  it("refuses an unknown protocol and lists the known ones", () => {
    expect(() => createModel("grpc", SPEC)).toThrow(
      /unknown protocol "grpc"; known are openai-chat, openai-responses, anthropic/,
    );
  });
});
