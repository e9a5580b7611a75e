import { type ConfigLayer, parseYaml } from "@agentcompass/core/spec";
import { readConfigFiles } from "./config-files.ts";
import type { LaunchOptions } from "./options.ts";

/** Configuration layers, parsed. */
export async function configLayersOf(options: Pick<LaunchOptions, "configPath">): Promise<ConfigLayer[]> {
  const texts = await readConfigFiles(options.configPath, process.env, process.cwd());
  return texts.map(({ path, text }) => {
    const parsed = parseYaml(text, path, "config.invalid");
    return { path, ...parsed, value: parsed.value ?? {} };
  });
}
