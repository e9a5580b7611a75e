import { isPlainObject } from "../record/json.ts";

/** Deep merge: mappings key by key; lists, texts, numbers and an explicit null replace. `undefined` changes nothing. */
export function deepMerge(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isPlainObject(base) || !isPlainObject(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) merged[key] = deepMerge(merged[key], value);
  return merged;
}

/** Deep merge of mappings, lowest first; null and undefined layers are passed over. */
export function mergeLayers(...layers: readonly unknown[]): Record<string, unknown> {
  let merged: unknown = {};
  for (const layer of layers) if (layer !== null && layer !== undefined) merged = deepMerge(merged, layer);
  return isPlainObject(merged) ? merged : {};
}

/** A copy without keys whose value is null or undefined. */
export function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined));
}

/** A copy without keys whose value is null, undefined or an empty text: each leaves the default. */
export function withoutBlanks(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(withoutNulls(value)).filter(([, item]) => item !== ""));
}
