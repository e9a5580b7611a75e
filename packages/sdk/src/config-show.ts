import { configPayload } from "@agentcompass/core/spec";
import { components } from "./catalog.ts";
import type { LaunchOptions } from "./options.ts";
import { configLayersOf } from "./resolve.ts";

export type ConfigShowOptions = Pick<LaunchOptions, "configPath"> & {
  readonly benchmark?: readonly string[];
  readonly harness?: readonly string[];
  readonly environment?: readonly string[];
};

/** The merged configuration, redacted: `runtime`, `execution` and the selected components over their defaults. */
export async function configShow(options: ConfigShowOptions = {}): Promise<object> {
  const [catalog, configLayers] = await Promise.all([components(), configLayersOf(options)]);
  return configPayload({
    catalog,
    configLayers,
    env: process.env,
    benchmark: options.benchmark ?? [],
    harness: options.harness ?? [],
    environment: options.environment ?? [],
  });
}
