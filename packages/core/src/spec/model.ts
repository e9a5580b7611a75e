import { isPlainObject } from "../record/json.ts";
import { ModelFields, PROTOCOLS } from "./fields.ts";
import { mergeLayers, withoutNulls } from "./merge.ts";
import type { ModelSpec } from "./resolved.ts";
import { parseFields, refuse, type Where } from "./validate.ts";

/** Merges the model's layers deeply, parameters included. The id is required; `auto` is the same as no protocol. */
export function resolveModel(layers: readonly unknown[], where: Where, request: string): ModelSpec {
  const merged = mergeLayers(...layers);
  const fields = parseFields(ModelFields, withoutNulls(merged), where);
  if (!fields.id || fields.id.trim() === "")
    throw refuse(
      where,
      `request '${request}' names no model; give model.id (a reference to a variable that is not set counts as empty), or none for a harness that calls none`,
    );
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
  if (typeof value === "string") {
    const name = value.trim().toLowerCase();
    return name === "" || name === "auto" ? "" : known(name, where);
  }
  const names = [...new Set(value.map((name) => name.trim().toLowerCase()))].filter((name) => name !== "");
  if (names.length === 1 && names[0] === "auto") return "";
  if (names.includes("auto"))
    throw refuse(where, `'auto' stands alone, not in a list; supported in a list: ${PROTOCOLS.join(", ")}`);
  return names.map((name) => known(name, where));
}

function known(name: string, where: Where): string {
  if (PROTOCOLS.some((protocolName) => protocolName === name)) return name;
  throw refuse(where, `unknown protocol '${name}'; supported are ${PROTOCOLS.join(", ")}, auto`);
}
