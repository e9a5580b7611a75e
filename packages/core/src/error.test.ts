import { describe, expect, it } from "vitest";
import { errorText } from "./error.ts";

const throwing = (): never => {
  throw new Error("no text");
};

describe("errorText", () => {
  it.each([
    [new Error("gone"), "gone"],
    [Object.assign(new TypeError("x"), { message: "" }), "TypeError"],
    ["text", "text"],
    [null, "null"],
    [undefined, "undefined"],
    [Symbol("s"), "Symbol(s)"],
  ])("of %s is %s", (thrown, text) => {
    expect(errorText(thrown)).toBe(text);
  });

  it.each([
    ["an object without a prototype", Object.create(null)],
    ["an object whose text throws", { toString: throwing }],
    ["an error whose message throws", Object.defineProperty(new Error("a"), "message", { get: throwing })],
    ["a proxy that answers nothing", new Proxy({}, { get: throwing, getPrototypeOf: throwing })],
  ])("of %s is a text too", (_what, thrown) => {
    expect(errorText(thrown)).toBe("something that has no text was thrown");
  });
});
