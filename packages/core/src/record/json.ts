import { inCodePointOrder } from "../result/code-point-order.ts";

/** JSON as AgentCompass lays it out: two blanks of indentation, a value's own key order. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The same with the keys of every object in code-point order, as run_info.json, params.json and metrics.json are kept. */
export function sortedJson(value: unknown): string {
  return prettyJson(sortKeys(value));
}

/**
 * A copy with sorted keys; arrays keep their order. An object that stands in many places, as the plan of most tasks does, is
 * copied once.
 */
export function sortKeys(value: unknown, copies = new Map<object, unknown>()): unknown {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, copies));
  if (!isPlainObject(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const copy = Object.fromEntries(
    inCodePointOrder(Object.keys(value)).map((key) => [key, sortKeys(value[key], copies)]),
  );
  copies.set(value, copy);
  return copy;
}

/** A copy without null, undefined, empty objects and empty lists, and without keys that begin with `_`. */
export function dropEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropEmpty);
  if (!isPlainObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const inner = key.startsWith("_") ? undefined : dropEmpty(item);
    if (!isEmpty(inner)) kept[key] = inner;
  }
  return kept;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}
