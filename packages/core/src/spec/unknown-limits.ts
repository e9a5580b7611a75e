import type { Catalog } from "../plugin/component.ts";
import { PROVIDER_LIMITS } from "./defaults.ts";
import { nearest } from "./nearest.ts";
import type { RuntimeOptions } from "./resolved.ts";

/**
 * One line for each limit of an environment that neither is in the catalog nor has a default of AgentCompass's: it limits
 * nothing. AgentCompass takes any name, so that a file of its own is never refused for one.
 */
export function unknownLimits(
  runtime: Partial<Pick<RuntimeOptions, "provider_limits" | "env_open_qps">>,
  catalog: Pick<Catalog, "environment">,
): readonly string[] {
  const ids = [...catalog.environment.keys()].sort();
  const known = new Set([...ids, ...Object.keys(PROVIDER_LIMITS)]);
  return (["provider_limits", "env_open_qps"] as const).flatMap((field) =>
    Object.keys(runtime[field] ?? {})
      .filter((id) => !known.has(id))
      .map((id) => {
        const guess = nearest(id, [...known]);
        return `runtime.${field}.${id}: no environment has this id, so that it limits nothing${guess ? `; did you mean '${guess}'?` : ""} (known: ${ids.join(", ")})`;
      }),
  );
}
