import { isPlainObject } from "../record/json.ts";
import { ModelFields, PROTOCOLS } from "./fields.ts";
import { mergeLayers, withoutNulls } from "./merge.ts";
import type { ModelSpec } from "./resolved.ts";
import { parseFields, refuse, shown, type Where } from "./validate.ts";

/** Merges the model's layers deeply, parameters included. The id is required; `auto` is the same as no protocol. */
export function resolveModel(layers: readonly unknown[], where: Where, request: string): ModelSpec {
  const merged = mergeLayers(...layers);
  const fields = parseFields(ModelFields, withoutNulls(merged), where);
  if (!fields.id || fields.id.trim() === "")
    throw refuse(where, `request '${request}' names no model; give model.id, or none for a harness that calls none`);
  return {
    id: fields.id.trim(),
    base_url: fields.base_url ?? "",
    api_key: fields.api_key ?? "",
    api_protocol: protocol(fields.api_protocol ?? "", { ...where, path: `${where.path}.api_protocol` }),
    params: isPlainObject(fields.params) ? fields.params : {},
    wrap_api_key: fields.wrap_api_key ?? false,
  };
}

function protocol(value: string | readonly string[], where: Where): string | readonly string[] {
  const listed = typeof value === "string" && value.trim().startsWith("[") ? listOf(value, where) : value;
  if (typeof listed === "string") {
    const name = listed.trim().toLowerCase();
    return name === "" || name === "auto" ? "" : known(name, where);
  }
  const names = [...new Set(listed.map((name) => name.trim().toLowerCase()))].filter((name) => name !== "");
  if (names.length === 0)
    throw refuse(where, "the list is empty; name at least one protocol, or auto instead of a list");
  if (names.includes("auto"))
    throw refuse(where, `'auto' stands alone, not in a list; supported in a list: ${PROTOCOLS.join(", ")}`);
  return names.map((name) => known(name, where));
}

function listOf(text: string, where: Where): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((item) => typeof item === "string")) return parsed;
  } catch {
    // Reported below with what is expected.
  }
  throw refuse(where, `begins like a list but is no JSON list of names: ${shown(text)}`);
}

function known(name: string, where: Where): string {
  if (PROTOCOLS.some((protocolName) => protocolName === name)) return name;
  throw refuse(where, `unknown protocol '${name}'; supported are ${PROTOCOLS.join(", ")}, auto`);
}
