import type { z } from "zod";
import { AgentCompassError, type ErrorCode } from "../error.ts";
import { isPlainObject } from "../record/json.ts";
import { nearest } from "./nearest.ts";

/** Where a value stands: a file or a section, prefixed to every error. */
export type Where = { readonly file?: string; readonly path: string; readonly code?: ErrorCode };

/** A refusal in one line: where, what was found, what is allowed. */
export function refuse(where: Where, message: string): AgentCompassError {
  const place = [where.file, where.path].filter((part) => part !== undefined && part !== "").join(": ");
  return new AgentCompassError(where.code ?? "spec.invalid", place === "" ? message : `${place}: ${message}`, {
    data: { path: where.path },
  });
}

/** A value as an error shows it. */
export function shown(value: unknown): string {
  const isOdd = typeof value === "number" && !Number.isFinite(value);
  const text = value === undefined ? "nothing" : isOdd ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** The kind of a value in the words of a user. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isPlainObject(value)) return "a mapping";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** The value when it is a mapping; refused otherwise. */
export function requireMapping(value: unknown, where: Where): Record<string, unknown> {
  if (isPlainObject(value)) return value;
  throw refuse(where, `must be a mapping, found ${kindOf(value)}`);
}

/** Parses by a schema; the first mistake is refused with its path, value and what is allowed. */
export function parseFields<T extends z.ZodType>(schema: T, value: unknown, where: Where): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = firstMistake(parsed.error.issues);
  if (!issue) throw refuse(where, "is not valid");
  const at = { ...where, path: joinPath(where.path, issue.path) };
  if (issue.code === "unrecognized_keys") throw unknownField(at, issue.keys, knownKeys(schema, issue.path));
  if (issue.code === "invalid_key") throw refuse(at, issue.issues[0]?.message ?? issue.message);
  throw refuse(at, `${issue.message}; found ${shown(valueAt(value, issue.path))}`);
}

/** The first mistake; an unknown key of the same mapping comes before a key that is missing, which it may be a misspelling of. */
function firstMistake(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const [first] = issues;
  const mapping = JSON.stringify(first?.path.slice(0, -1));
  return issues.find((one) => one.code === "unrecognized_keys" && JSON.stringify(one.path) === mapping) ?? first;
}

/** Fields that are known, but not where they are often written. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  task_concurrency: "; it belongs at the top of the file, beside requests, or in --task-concurrency",
};

export function unknownField(where: Where, keys: readonly string[], known: readonly string[]): AgentCompassError {
  const elsewhere = ELSEWHERE[keys[0] ?? ""];
  const guess = elsewhere === undefined ? nearest(keys[0] ?? "", known) : undefined;
  const list = keys.map((key) => `'${key}'`).join(", ");
  return refuse(
    where,
    `unknown field ${list}${elsewhere ?? ""}${guess ? `; did you mean '${guess}'?` : ""} (known: ${known.join(", ")})`,
  );
}

export function joinPath(base: string, path: readonly PropertyKey[]): string {
  let text = base;
  for (const key of path) text += typeof key === "number" ? `[${key}]` : text === "" ? String(key) : `.${String(key)}`;
  return text;
}

/** What stands at a path of a value; undefined where there is nothing. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

/** Field names of the mapping at a path of a schema. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let current: unknown = schema;
  for (const key of ["", ...path]) {
    if (key !== "") current = isShaped(current) ? current.shape[String(key)] : elementOf(current);
    current = unwrap(current);
  }
  return isShaped(current) ? Object.keys(current.shape) : [];
}

type Shaped = { readonly shape: Readonly<Record<string, unknown>> };

function isShaped(schema: unknown): schema is Shaped {
  return typeof schema === "object" && schema !== null && "shape" in schema;
}

function elementOf(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return undefined;
  if ("element" in schema) return schema.element;
  return "valueType" in schema ? schema.valueType : undefined;
}

function unwrap(schema: unknown): unknown {
  let current = schema;
  while (hasUnwrap(current)) current = current.unwrap();
  return current;
}

function hasUnwrap(schema: unknown): schema is { unwrap(): unknown } {
  return typeof schema === "object" && schema !== null && "unwrap" in schema && !("element" in schema);
}
