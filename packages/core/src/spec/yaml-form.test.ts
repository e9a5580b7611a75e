import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml.ts";

const refusal = (text: string): string => {
  try {
    parseYaml(text, "f.yaml");
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(text)}`);
};

describe("parseYaml refuses what PyYAML refuses, with file, line and column", () => {
  it.each([
    ["a tab between tokens", "a: [b,\tc]\n", "f.yaml:1:7"],
    ["a tab in a blank line", "a: 1\n\t\nb: 2\n", "f.yaml:2:1"],
    ["a tab inside a plain text", "a: b\tc\n", "f.yaml:1:4"],
    ["a control character", "a: b\x01\n", "f.yaml:1:5"],
    ["another YAML than 1", "%YAML 2.0\n---\na: 1\n", "f.yaml:1:1"],
    ["an unknown directive alone", "%a: 1\n", "f.yaml:1:1"],
    ["an anchor given twice", "a: &x 1\nb: &x 2\n", "f.yaml:2:7"],
    ["an anchor with a dot", "a: &x.y 1\n", "f.yaml:1:9"],
    ["a lone <<", "a: <<\n", "f.yaml:1:4"],
    ["a missing key", "a: 1\n: 2\n", "f.yaml:2"],
    ["a value that continues a flow list", "a: [b]: c\n", "f.yaml"],
    ["a date that does not exist", "a: 2024-13-01\n", "f.yaml:1:4"],
    ["a tag of a list on a mapping", "a: !!seq {b: 1}\n", "f.yaml:1"],
    ["a text tag on a list", "a: !!str [b]\n", "f.yaml:1"],
  ])("%s", (_label, text, place) => {
    const message = refusal(text);
    expect(message).toContain(place);
    expect(message).not.toContain("\n");
  });
});

describe("parseYaml keeps", () => {
  it("tabs in quotes, comments and block texts", () => {
    const text = 'a: "b\tc"\nd: |\n  e\tf\n#\tg\n';
    expect(parseYaml(text, "f.yaml").value).toEqual({ a: "b\tc", d: "e\tf\n" });
  });

  it("the key =, the tag !, ordered mappings and lines that end with a carriage return", () => {
    const text = "a: {=: 1}\rb: ! 12\rc: !!omap [d: 1, e: 2]\r";
    expect(parseYaml(text, "f.yaml").value).toEqual({
      a: { "=": 1 },
      b: 12,
      c: [
        ["d", 1],
        ["e", 2],
      ],
    });
  });

  it("where a whole number is written as a float", () => {
    const text = "x: &a {n: 1.0, m: 1}\ny: [*a, 2.5, 3., '4.0']\n";
    expect(parseYaml(text, "f.yaml").wholeFloats).toEqual(["x.n", "y[0].n", "y[2]"]);
  });

  it("times as Python prints them", () => {
    const text = "a: 2024-01-01T10:00:00Z\nb: 2024-1-2 3:04:05.5 +02\n";
    expect(JSON.parse(JSON.stringify(parseYaml(text, "f.yaml").value))).toEqual({
      a: "2024-01-01 10:00:00+00:00",
      b: "2024-01-02 03:04:05.500000+02:00",
    });
  });
});
