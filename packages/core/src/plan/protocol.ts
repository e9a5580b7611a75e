import { AgentCompassError } from "../error.ts";

/**
 * The protocol that a harness and a model share: the first configured one that the harness supports, in any letter case; its
 * default (the first supported) when `auto` or nothing is configured. The endpoint is not asked (reference 7.7). Throws
 * `component.invalid` when none is shared; undefined when the harness supports none because it calls no model.
 */
export function selectProtocol(
  configured: string | readonly string[] | undefined,
  supported: readonly string[],
): string | undefined {
  const listed = typeof configured === "string" ? [configured] : (configured ?? []);
  const wanted = listed
    .map((protocol) => protocol.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "auto");
  if (wanted.length === 0 || supported.length === 0) return supported[0];
  const shared = wanted.find((protocol) => supported.includes(protocol));
  if (shared !== undefined) return shared;
  throw new AgentCompassError(
    "component.invalid",
    `model.api_protocol: "${listed.join(", ")}" is not spoken by this harness; it supports ${supported.join(", ")}`,
    { data: { configured: listed, supported } },
  );
}
