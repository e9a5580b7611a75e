import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog } from "@agentcompass/core/plugin";
import { resolveOrchestration } from "@agentcompass/core/spec";
import { components } from "@agentcompass/sdk";
import { describe, expect, it } from "vitest";
import { allPages, blocksOf, ROOT } from "./markdown.ts";

const env = { OPENAI_BASE_URL: "http://127.0.0.1:8080/v1", OPENAI_API_KEY: "a-key", OPENAI_MODEL: "a-model" };

type Source = { readonly where: string; readonly text: string };

async function exampleFiles(): Promise<Source[]> {
  const names = (await readdir(join(ROOT, "examples"), { recursive: true })).filter((name) => name.endsWith(".yaml"));
  return Promise.all(
    names.map(async (name) => ({
      where: `examples/${name}`,
      text: await readFile(join(ROOT, "examples", name), "utf8"),
    })),
  );
}

/** The catalog with the components of examples/components, which one example and its page use. */
async function exampleCatalog(): Promise<Catalog> {
  const folder = join(ROOT, "examples/components");
  const names = (await readdir(folder)).filter((name) => /(?<!\.test)\.(?:ts|mjs)$/.test(name));
  return components({ components: names.map((name) => join(folder, name)) });
}

const catalog = await exampleCatalog();

const blocks = (await allPages())
  .flatMap(blocksOf)
  .filter((block) => block.info.startsWith("yaml"))
  .map((block) => ({ where: `${block.page}:${block.line}`, info: block.info, text: block.text }));

const sources = [...(await exampleFiles()), ...blocks];

function resolve({ where, text }: Source) {
  return resolveOrchestration({
    file: { name: where, text },
    configLayers: [],
    env,
    overrides: {},
    catalog,
    ids: { hex: () => "0".repeat(32) },
  });
}

describe("orchestrations in the documentation and in examples/", () => {
  it("are all marked, so that none escapes", () => {
    expect(blocks.filter((block) => block.info !== "yaml orchestration")).toEqual([]);
    expect(blocks.length).toBeGreaterThan(2);
  });

  it.each(sources)("resolve without a warning ($where)", (source) => {
    const orchestration = resolve(source);
    expect(orchestration.warnings).toEqual([]);
    expect(orchestration.requests.length).toBeGreaterThan(0);
  });

  it.each(sources)("give only parameters that components accept ($where)", (source) => {
    for (const request of resolve(source).requests) {
      for (const kind of ["benchmark", "harness", "environment"] as const) {
        const descriptor = catalog[kind].get(request[kind].id);
        expect(descriptor?.load).toBeTypeOf("function");
        expect(() => descriptor?.params.parse(request[kind].params)).not.toThrow();
      }
    }
  });
});

describe("examples/sums.jsonl", () => {
  it("holds thirty sums of two numbers with their results", async () => {
    const lines = (await readFile(join(ROOT, "examples/sums.jsonl"), "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(30);
    for (const line of lines) {
      const { input, expected } = JSON.parse(line) as { input: string; expected: number };
      const [left, right] = [...input.matchAll(/\d+/g)].map(([digits]) => Number(digits));
      expect(expected).toBe((left ?? Number.NaN) + (right ?? Number.NaN));
    }
  });
});
