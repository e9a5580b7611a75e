import type { ModelSpec } from "@agentcompass/core/spec";

/** A spec of the model `m` at an address; fields of `over` win. */
export function modelSpec(base_url: string, over: Partial<ModelSpec> = {}): ModelSpec {
  return { id: "m", base_url, api_key: "", api_protocol: "auto", params: {}, wrap_api_key: false, ...over };
}
