import { cp, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import * as ours from "zod";
import { COMMON_PARAMS } from "../benchmark/params.ts";
import { ownParams } from "./own-params.ts";

/** A second copy of zod, as a component file has that brings its own. */
async function anotherZod(): Promise<typeof ours> {
  const folder = await mkdtemp(join(tmpdir(), "agentcompass-zod-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const source = dirname(createRequire(import.meta.url).resolve("zod/package.json"));
  await cp(source, folder, { recursive: true });
  return import(/* @vite-ignore */ pathToFileURL(join(folder, "index.js")).href);
}

describe.each(["this program's zod", "a zod of the file's own"])("parameters described by %s", (which) => {
  async function schemaOf(build: (z: typeof ours.z) => ours.z.ZodObject) {
    const zod = which === "this program's zod" ? ours : await anotherZod();
    expect(zod.z.ZodObject === ours.z.ZodObject).toBe(which === "this program's zod");
    return ownParams(build(zod.z), COMMON_PARAMS);
  }

  it("are parsed with their defaults, beside the common ones", async () => {
    const schema = await schemaOf((z) => z.strictObject({ words: z.array(z.string()).default(["a"]) }));
    expect(schema.parse({ limit: 2 })).toEqual({ words: ["a"], limit: 2 });
    expect(schema.safeParse({ limit: 0 }).error?.issues[0]?.path).toEqual(["limit"]);
    expect(schema.safeParse({ words: "a" }).error?.issues[0]?.path).toEqual(["words"]);
  });

  it("refuse a field that they do not name, also when the schema is not strict", async () => {
    const schema = await schemaOf((z) => z.object({ words: z.string().optional() }));
    expect(schema.safeParse({ word: "a" }).error?.issues[0]).toMatchObject({
      code: "unrecognized_keys",
      keys: ["word"],
    });
  });

  it("keep the refinements of the whole object, and their own form of a common one", async () => {
    const schema = await schemaOf((z) =>
      z
        .object({ least: z.int(), most: z.int(), limit: z.literal(1).default(1) })
        .refine(({ least, most }) => least <= most, "least must not be above most"),
    );
    expect(schema.parse({ least: 1, most: 2 })).toEqual({ least: 1, most: 2, limit: 1 });
    expect(schema.safeParse({ least: 3, most: 2 }).error?.issues[0]?.message).toBe("least must not be above most");
    expect(schema.safeParse({ least: 1, most: 2, limit: 2 }).success).toBe(false);
  });
});
