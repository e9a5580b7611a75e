import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PricesFields } from "./prices.ts";
import { parseFields } from "./validate.ts";

const inner = z.strictObject({ name: z.string(), size: z.number() });
const schema = z.strictObject({ one: inner, many: z.array(inner), named: z.record(z.string(), inner) }).partial();
const misspelt = { nmae: "x", size: 1 };

describe("the first mistake of several", () => {
  it.each([
    ["a field", { one: misspelt }, "at.one"],
    ["an entry of a list", { many: [{ name: "a", size: 1 }, misspelt] }, "at.many[1]"],
    ["an entry by name", { named: { a: misspelt } }, "at.named.a"],
  ])("is the unknown key of %s before the one that it may stand for", (_what, value, path) => {
    expect(() => parseFields(schema, value, { path: "at" })).toThrow(
      `${path}: unknown field 'nmae'; did you mean 'name'? (known: name, size)`,
    );
  });

  it("is not an unknown key of another mapping", () => {
    const value = { one: { name: "a", size: "b" }, named: { a: { name: "a", size: 1, colour: "red" } } };
    expect(() => parseFields(schema, value, { path: "" })).toThrow(/^one\.size: /);
  });

  it("is the unknown key of a price", () => {
    expect(() => parseFields(PricesFields, { small: { inptu: 1 } }, { path: "prices" })).toThrow(
      /^prices\.small: unknown field 'inptu'; did you mean 'input'\?/,
    );
  });
});

it("a field that belongs elsewhere is said to", () => {
  const known = z.strictObject({ max_retries: z.number().optional() });
  expect(() => parseFields(known, { task_concurrency: 3 }, { path: "requests[0].execution" })).toThrow(
    /^requests\[0\]\.execution: unknown field 'task_concurrency'; it belongs at the top of the file/,
  );
});
