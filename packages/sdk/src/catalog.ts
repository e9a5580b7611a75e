import type { Catalog } from "@agentcompass/core/plugin";
import { configLayersOf } from "./config-layers.ts";
import type { LaunchOptions } from "./options.ts";
import { filesOfConfig, filesOfOptions, withFiles } from "./own-components.ts";

/**
 * Every component by kind and id; those without `load` come with a later release. Without options only what is built in; with
 * options also what the configuration and `components` name.
 */
export async function components(options?: Pick<LaunchOptions, "components" | "configPath">): Promise<Catalog> {
  const catalog = await builtIn();
  if (!options) return catalog;
  return withFiles(catalog, [...filesOfConfig(await configLayersOf(options)), ...filesOfOptions(options)]);
}

async function builtIn(): Promise<Catalog> {
  const { builtinCatalog } = await import("@agentcompass/runner/catalog");
  return builtinCatalog();
}
