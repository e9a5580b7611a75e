import { describe, expect, it } from "vitest";
import {
  collect,
  decimal,
  integer,
  jsonObject,
  jsonTextList,
  numberByKey,
  oneOf,
  onlyOnce,
  protocols,
} from "./value.ts";

describe("option values", () => {
  it("take empty JSON text as an empty object", () => {
    expect(jsonObject("--p")(" ")).toEqual({});
    expect(jsonObject("--p")('{"a": [1]}')).toEqual({ a: [1] });
  });

  it.each([
    ["[1]", "an array"],
    ["null", "null"],
    ["3", "a number"],
  ])("refuse %s where an object is needed, naming the option", (text, found) => {
    expect(() => jsonObject("--p")(text)).toThrow(`--p must be a JSON object, found ${found}`);
  });

  it("name the option whose JSON cannot be read", () => {
    expect(() => jsonObject("--p")("{a}")).toThrow(/^--p is not valid JSON: /);
    expect(() => jsonTextList("--r")("{}")).toThrow("--r must be a JSON array of texts");
  });

  it("make texts of a list's elements", () => {
    expect(jsonTextList("--r")('["a", 5, true]')).toEqual(["a", "5", "true"]);
  });

  it("read a protocol, or a list of them trimmed and without repetition", () => {
    expect(protocols("--m")("auto")).toBe("auto");
    expect(protocols("--m")('["a ", "b", "a"]')).toEqual(["a", "b"]);
    expect(() => protocols("--m")("[]")).toThrow("at least one protocol");
  });

  it("read numbers strictly", () => {
    expect(integer("--k")("-3")).toBe(-3);
    expect(decimal("--t")("0.5")).toBe(0.5);
    for (const text of ["", "1.5", "x", "1e3"]) expect(() => integer("--k")(text)).toThrow("--k must be an integer");
    for (const text of ["", "x", "Infinity"]) expect(() => decimal("--t")(text)).toThrow("--t must be a number");
  });

  it("collect provider=number, the last one of a provider winning", () => {
    const parse = numberByKey("--provider-limit", integer);
    expect(parse("docker=2", parse("docker=1", { fargate: 3 }))).toEqual({ docker: 2, fargate: 3 });
    expect(() => parse("docker", undefined)).toThrow("--provider-limit must be provider=number");
    expect(() => parse("=2", undefined)).toThrow("--provider-limit must be provider=number");
    expect(() => parse("docker=x", undefined)).toThrow('--provider-limit docker must be an integer, found "x"');
  });

  it("collect repeated texts and refuse a second value where one is allowed", () => {
    expect(collect("b", ["a"])).toEqual(["a", "b"]);
    expect(onlyOnce("--reuse")("a", true)).toBe("a");
    expect(() => onlyOnce("--reuse")("b", "a")).toThrow("--reuse takes one value, found a and b");
  });

  it("know words, in any case where that is allowed", () => {
    expect(oneOf("--log-level", ["INFO"], true)("info")).toBe("INFO");
    expect(() => oneOf("--progress", ["auto", "none"])("AUTO")).toThrow("--progress must be one of: auto, none");
  });
});
