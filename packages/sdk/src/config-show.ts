import { configPayload } from "@agentcompass/core/spec";
import { components } from "./catalog.ts";
import { configLayersOf } from "./config-layers.ts";
import type { LaunchOptions } from "./options.ts";

export type ConfigShowOptions = Pick<LaunchOptions, "configPath" | "components"> & {
  readonly benchmark?: readonly string[];
  readonly harness?: readonly string[];
  readonly environment?: readonly string[];
};

/** The merged configuration, redacted: `runtime`, `execution` and the selected components over their defaults. */
export async function configShow(options: ConfigShowOptions = {}): Promise<object> {
  const [catalog, configLayers] = await Promise.all([components(options), configLayersOf(options)]);
  const files = (catalog.files ?? []).map((file) => file.path);
  const payload = configPayload({
    catalog,
    configLayers,
    env: process.env,
    benchmark: options.benchmark ?? [],
    harness: options.harness ?? [],
    environment: options.environment ?? [],
  });
  return files.length === 0 ? payload : { ...payload, components: files };
}
