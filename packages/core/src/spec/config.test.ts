import { describe, expect, it } from "vitest";
import { type ConfigLayer, mergeConfigLayers } from "./config.ts";

const layers = (...values: unknown[]): ConfigLayer[] =>
  values.map((value, index) => ({ path: `c${index}.yaml`, value }));

describe("mergeConfigLayers", () => {
  it("merges files deeply, the later one wins, and resolves references after merging", () => {
    const config = mergeConfigLayers(
      layers({ harnesses: { h: { a: "${GONE}", b: { c: 1 } } } }, { harnesses: { h: { a: "${X}", b: { d: 2 } } } }),
      { X: "x" },
    );
    expect(config.components.harness["h"]).toEqual({ a: "x", b: { c: 1, d: 2 } });
  });

  it("warns of unknown sections and takes an empty file", () => {
    expect(mergeConfigLayers(layers(null, { whatever: 1 }), {}).warnings).toEqual([
      "c1.yaml: section 'whatever' is not known and is ignored",
    ]);
  });

  it("clears earlier layers of an environment by null", () => {
    const config = mergeConfigLayers(
      layers(
        { environments: { docker: { network: "a" } } },
        { environments: { docker: null } },
        { environments: { docker: { name: "b" } } },
      ),
      {},
    );
    expect(config.environmentLayers("docker")).toEqual([{ name: "b" }]);
  });

  it.each([
    [["x"], "c0.yaml: must be a mapping, found a list"],
    [{ models: {} }, "c0.yaml: models: models are not configured here"],
    [{ benchmarks: [] }, "c0.yaml: benchmarks: must be a mapping"],
    [{ benchmarks: { b: 1 } }, "c0.yaml: benchmarks.b: must be a mapping"],
    [{ harnesses: { h: { params: {} } } }, "c0.yaml: harnesses.h: 'params' is not a section"],
    [{ execution: { max_retrys: 1 } }, "did you mean 'max_retries'"],
    [{ runtime: { auto_install_dependencies: "yes" } }, "c0.yaml: runtime.auto_install_dependencies"],
    [{ runtime: { recipe_dirs: "x" } }, "c0.yaml: runtime.recipe_dirs"],
  ])("refuses %j", (value, text) => {
    expect(() => mergeConfigLayers(layers(value), {})).toThrow(
      expect.objectContaining({ code: "config.invalid", message: expect.stringContaining(text) }),
    );
  });
});
