import type { Catalog } from "@agentcompass/core/plugin";

/** Every built-in component by kind and id; those without `load` come with a later release. */
export async function components(): Promise<Catalog> {
  const { builtinCatalog } = await import("@agentcompass/runner/catalog");
  return builtinCatalog();
}
