import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXECUTION_DEFAULTS, ExecutionFields, RUNTIME_DEFAULTS, RuntimeFields } from "@agentcompass/core/spec";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkReference, referencePages, writeReference } from "../../scripts/docs-reference.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentcompass-docs-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("the generated reference", () => {
  it("is committed as it would be generated", async () => {
    expect(await checkReference()).toEqual([]);
  });

  it("is found stale by page: missing, changed, or left over", async () => {
    expect(await checkReference(folder)).toEqual([...referencePages().keys()].sort());
    await writeReference(folder);
    expect(await checkReference(folder)).toEqual([]);
    await appendFile(join(folder, "errors.md"), "an edit by hand\n");
    await writeFile(join(folder, "old.md"), "");
    expect(await checkReference(folder)).toEqual(["errors.md", "old.md"]);
  });

  it("describes every field", () => {
    const rows = [...referencePages().values()].flatMap((text) => text.split("\n"));
    expect(rows.filter((row) => /^\| `/.test(row) && row.endsWith("|  |"))).toEqual([]);
  });

  it.each([
    ["execution", ExecutionFields, EXECUTION_DEFAULTS],
    ["runtime", RuntimeFields, RUNTIME_DEFAULTS],
  ] as const)("tells the defaults of %s as they are", (_section, schema, defaults) => {
    const values: Readonly<Record<string, unknown>> = { ...defaults };
    for (const [name, field] of Object.entries(schema.shape)) {
      const told = /\bDefault ([^.:\s]+)/.exec(field.description ?? "")?.[1];
      const value = values[name];
      if (told !== undefined && ["string", "number", "boolean"].includes(typeof value))
        expect(told, name).toBe(String(value));
    }
  });
});
