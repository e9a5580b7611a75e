import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ResolveCase, runResolveCase } from "./resolve-case.ts";

describe.each(["orchestrations.json", "orchestration-variants.json"])("%s agrees with AgentCompass", (file) => {
  const cases = JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) as ResolveCase[];

  it.each(cases.map((one) => [`${one.group}: ${one.name}`, one] as const))("%s", (_name, one) => {
    expect(runResolveCase(one)).toEqual([]);
  });
});
