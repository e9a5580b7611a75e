import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ResolveCase, runResolveCase } from "./resolve-case.ts";

const cases = JSON.parse(readFileSync(join(import.meta.dirname, "orchestrations.json"), "utf8")) as ResolveCase[];

describe("orchestrations agree with AgentCompass", () => {
  it.each(cases.map((one) => [`${one.group}: ${one.name}`, one] as const))("%s", (_name, one) => {
    expect(runResolveCase(one)).toEqual([]);
  });
});
