import { describe, expect, it } from "vitest";
import { interpolateTaskEnv, resolveReferences, undefinedReferences } from "./reference.ts";

const where = { path: "" };

describe("resolveReferences", () => {
  it("replaces whole values anywhere, an undefined one by an empty text", () => {
    const value = { a: "${X}", b: [" ${X} ", { c: "${NOT_SET}" }], d: 1 };
    expect(resolveReferences(value, { X: "x" }, where)).toEqual({ a: "x", b: ["x", { c: "" }], d: 1 });
  });

  it("leaves environment maps of tasks for the time when they run", () => {
    const value = { environment: { env_variables: { A: "${X} and ${Y:-z}" }, network: "${X}" } };
    expect(resolveReferences(value, { X: "x" }, where)).toEqual({
      environment: { env_variables: { A: "${X} and ${Y:-z}" }, network: "x" },
    });
  });

  it("refuses a reference inside a text and names its path", () => {
    expect(() => resolveReferences({ model: { list: ["pre-${X}"] } }, { X: "x" }, where)).toThrow(
      /^model\.list\[0\]: /,
    );
  });
});

describe("undefinedReferences", () => {
  it("names each reference to a variable that is not set, but not those of tasks", () => {
    const value = {
      model: { base_url: "${URL}", api_key: "${KEY}" },
      environment: { env_variables: { A: "${GONE}" } },
    };
    expect(undefinedReferences(value, { KEY: "k" })).toEqual(["model.base_url: ${URL} is not set and counts as empty"]);
  });
});

describe("interpolateTaskEnv", () => {
  it("replaces names and defaults inside texts", () => {
    const env = { HOST: "h", EMPTY: "" };
    expect(interpolateTaskEnv({ URL: "http://${HOST}:${PORT:-80}/${EMPTY:-x}" }, env)).toEqual({
      URL: "http://h:80/x",
    });
  });

  it("names every variable that is missing, and none of the values", () => {
    const refusal = () =>
      interpolateTaskEnv({ A: "${ONE}", B: "${TWO}${ONE}", C: "${THREE:-}" }, { KEPT: "secret-value" });
    expect(refusal).toThrow("no default given: ONE, TWO; set it");
    expect(refusal).not.toThrow("secret-value");
  });

  it.each([
    [{ "1A": "x" }, "1A"],
    [{ A: "x\0y" }, "NUL"],
  ])("refuses %j", (map, text) => {
    expect(() => interpolateTaskEnv(map as Record<string, string>, {})).toThrow(text);
  });
});
