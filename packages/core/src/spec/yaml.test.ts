import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml.ts";

const read = (text: string): unknown => parseYaml(`v: ${text}`, "f.yaml").value;

/** Lists of ten aliases of the list before. */
function bomb(levels: number): string {
  const lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"];
  for (let level = 1; level < levels; level += 1)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  return lines.join("\n");
}

describe("parseYaml reads scalars as PyYAML does", () => {
  it.each([
    ["no", false],
    ["on", true],
    ["Yes", true],
    ["y", "y"],
    ["n", "n"],
    ["017", 15],
    ["0o17", "0o17"],
    ["08", "08"],
    ["1_000", 1000],
    ["0b11", 3],
    ["0x1F", 31],
    ["-0x1f", -31],
    ["1:30", 90],
    ["-1:30", -90],
    ["1:30.5", 90.5],
    ["1e3", "1e3"],
    ["1.0e3", "1.0e3"],
    ["1.0e+3", 1000],
    [".5", 0.5],
    ["-.5", "-.5"],
    ["+3", 3],
    ["1.", 1],
    [".inf", Number.POSITIVE_INFINITY],
    ["-.INF", Number.NEGATIVE_INFINITY],
    [".nan", Number.NaN],
    ["~", null],
    ["", null],
    ["Null", null],
    ["'no'", "no"],
    ['"1"', "1"],
    ["!!str 12", "12"],
    ["!!int '12'", 12],
    ["v1.0", "v1.0"],
  ])("%s", (text, value) => {
    expect(read(text)).toEqual({ v: value });
  });

  it("keeps a date apart from texts", () => {
    expect(JSON.stringify(read("2024-01-01"))).toBe('{"v":"2024-01-01"}');
    expect(typeof (read("2024-01-01") as { v: unknown }).v).toBe("object");
  });
});

describe("parseYaml reads documents as PyYAML does", () => {
  it("merges `<<`, the mapping's own keys win", () => {
    const text = "base: &b {a: 1, b: 2}\nmore: &m {b: 3, c: 4}\nv: {<<: [*b, *m], a: 9}";
    expect(parseYaml(text, "f.yaml").value).toMatchObject({ v: { a: 9, b: 2, c: 4 } });
  });

  it("takes the last of two equal keys and says so", () => {
    expect(parseYaml("a: 1\na: 2", "f.yaml")).toMatchObject({
      value: { a: 2 },
      warnings: ["f.yaml: key 'a' is there twice; the last one counts"],
    });
  });

  it.each([
    ["a JSON text", '{"a": [1, true, null, "no"]}', { a: [1, true, null, "no"] }],
    ["an empty text", "", null],
    ["a byte order mark", "\uFEFFa: 1", { a: 1 }],
    ["block texts", "a: |\n  x\n  y\nb: >-\n  x\n  y", { a: "x\ny\n", b: "x y" }],
    ["keys that are no texts", "1: a\n2.5: b", { "1": "a", "2.5": "b" }],
  ])("reads %s", (_case, text, value) => {
    expect(parseYaml(text, "f.yaml").value).toEqual(value);
  });

  it("gives a key named __proto__ no power", () => {
    const { value } = parseYaml('{"__proto__": {"polluted": true}, "a": 1}', "f.yaml");
    expect((value as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("refuses what is nested beyond reading", () => {
    expect(() => parseYaml("[".repeat(100_000), "f.yaml")).toThrow(/^f\.yaml:/);
  });

  it.each([
    ["a lone =", "a: =", 1],
    ["two documents", "a: 1\n---\nb: 2", 2],
    ["an indent by tab", "a:\n\tb: 1", 2],
    ["a tag that names code", "a: !!python/object:os.system x", 1],
    ["an unknown alias", "a: *x", 1],
    ["an alias inside itself", "a: &a [*a]", 1],
    ["an open list", "a: [1", 1],
    ["a list as key", "? [a]\n: 1", 1],
    ["a merge of texts", "a: {<<: x}", 1],
    ["aliases that multiply", bomb(7), 1],
  ])("refuses %s with file and line", (_case, text, line) => {
    expect(() => parseYaml(text, "f.yaml")).toThrow(
      expect.objectContaining({
        code: "spec.invalid",
        message: expect.stringMatching(new RegExp(`^f\\.yaml:${line}:\\d+: [^\\n]+$`)),
      }),
    );
  });
});
