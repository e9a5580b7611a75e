import type { Catalog, ComponentDescriptor } from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { componentDocs } from "./component-docs.ts";
import { componentDump, componentLines, scorerLines } from "./component-list.ts";

function descriptor(kind: ComponentDescriptor<never>["kind"], id: string): ComponentDescriptor<never> {
  const params = z.strictObject({
    model: z.string().default("x").describe("hidden"),
    limit: z.int().nullable().default(null).describe("how many"),
    mode: z.enum(["a", "b"]).default("a").describe("which"),
    key: z
      .string()
      .default("$" + "{A_VERY_LONG_VARIABLE_NAME_OF_A_KEY}")
      .describe("secret"),
    text: z.string().default("x".repeat(60)).describe("long"),
    path: z.string().describe("needed"),
    ids: z.array(z.string()).optional().describe("some"),
  });
  return { kind, id, description: `The ${id}.`, params, load: null };
}

const CATALOG: Catalog = {
  benchmark: new Map([["bench", descriptor("benchmark", "bench")]]),
  harness: new Map([["harn", descriptor("harness", "harn")]]),
  environment: new Map(),
};

describe("component docs", () => {
  const rows = componentDocs(CATALOG, "benchmark", "bench")
    .split("\n")
    .map((line) => line.split(/ {2,}/));

  it("show type, default and description of each field, all but `model`", () => {
    expect(rows.map(([field]) => field)).toEqual([
      ...["benchmark bench: The bench.", "Field", "-----", "limit", "mode", "key", "text", "path", "ids", ""],
    ]);
    expect(rows[3]?.slice(1)).toEqual(["integer | null", "null", "how many"]);
    expect(rows[4]?.slice(1)).toEqual(['"a" | "b"', '"a"', "which"]);
    expect(rows[7]?.slice(1)).toEqual(["string", "-", "needed"]);
    expect(rows[8]?.slice(1)).toEqual(["string[]", "-", "some"]);
  });

  it("shorten long defaults in the middle, references never", () => {
    expect(rows[5]?.[2]).toBe('"$' + '{A_VERY_LONG_VARIABLE_NAME_OF_A_KEY}"');
    expect(rows[6]?.[2]).toHaveLength(32);
  });

  it("name what is known when the id is not", () => {
    expect(() => componentDocs(CATALOG, "harness", "hrn")).toThrow(
      'unknown harness "hrn"; did you mean "harn"? (known: harn)',
    );
    expect(() => componentDocs(CATALOG, "env", "x")).toThrow("unknown environment");
    expect(() => componentDocs(CATALOG, "recipe", "x")).toThrow('unknown recipe "x" (known: none)');
    expect(() => componentDocs(CATALOG, "thing", "x")).toThrow("KIND must be one of: benchmark, harness, env");
  });
});

describe("component lists", () => {
  it("mark what cannot be run yet", () => {
    expect(componentLines(CATALOG.benchmark)).toEqual([
      { id: "bench", description: "The bench. (comes with a later release)" },
    ]);
  });

  it("say of a scorer what the field of jsonl says of it", () => {
    const scorer = z.enum(["exact", "mine"]).default("exact").describe("How. exact: equal texts. numeric: a number.");
    const jsonl = { ...descriptor("benchmark", "jsonl"), params: z.strictObject({ scorer }) };
    const lines = scorerLines({ ...CATALOG, benchmark: new Map([["jsonl", jsonl]]) });
    expect(lines).toEqual([
      { id: "exact", description: "equal texts." },
      { id: "mine", description: "See `agentcompass config docs benchmark jsonl`." },
    ]);
  });

  it("dump every kind as a Markdown table", () => {
    expect(componentDump(CATALOG)).toContain("## Harnesses\n\n| id | description |\n| --- | --- |\n| harn | The harn.");
  });
});
