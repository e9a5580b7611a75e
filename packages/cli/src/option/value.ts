import { usageError } from "../failure.ts";

type Json = Readonly<Record<string, unknown>>;

/** Parses the value of an option that holds a JSON object; empty text is `{}`. */
export function jsonObject(option: string): (text: string) => Json {
  return (text) => {
    if (text.trim() === "") return {};
    const value = parseJson(option, text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw usageError(`${option} must be a JSON object, found ${kindOf(value)}; for example ${option} '{"key": 1}'`);
    return value as Json;
  };
}

/** Parses a JSON array whose elements become text. */
export function jsonTextList(option: string): (text: string) => string[] {
  return (text) => {
    const value = parseJson(option, text);
    if (!Array.isArray(value))
      throw usageError(
        `${option} must be a JSON array of texts, found ${kindOf(value)}; for example ${option} '["timeout"]'`,
      );
    return value.map((element) => (typeof element === "string" ? element : JSON.stringify(element)));
  };
}

/** A protocol name, `auto`, or a JSON list of names: trimmed, without repetition, not empty. */
export function protocols(option: string): (text: string) => string | string[] {
  return (text) => {
    if (!text.trim().startsWith("[")) return text;
    const names = jsonTextList(option)(text).map((name) => name.trim());
    const distinct = [...new Set(names)].filter((name) => name !== "");
    if (distinct.length === 0) throw usageError(`${option} must name at least one protocol, found an empty list`);
    return distinct;
  };
}

export function integer(option: string): (text: string) => number {
  return (text) => {
    if (!/^[+-]?\d+$/.test(text.trim()))
      throw usageError(`${option} must be an integer, found ${JSON.stringify(text)}`);
    return Number(text);
  };
}

export function decimal(option: string): (text: string) => number {
  return (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) throw usageError(`${option} must be a number, found ${JSON.stringify(text)}`);
    return value;
  };
}

type NumberTable = Readonly<Record<string, number>>;

/** A repeatable `key=number` option; the values of one command line are collected into one mapping. */
export function numberByKey(
  option: string,
  parse: (option: string) => (text: string) => number,
): (text: string, before: NumberTable | undefined) => NumberTable {
  return (text, before) => {
    const at = text.indexOf("=");
    const key = text.slice(0, at).trim();
    if (at < 0 || key === "")
      throw usageError(
        `${option} must be provider=number, found ${JSON.stringify(text)}; for example ${option} docker=4`,
      );
    return { ...before, [key]: parse(`${option} ${key}`)(text.slice(at + 1)) };
  };
}

/** A repeatable option: one value a flag. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** An option that takes at most one value, however often it is given. */
export function onlyOnce(option: string): (text: string, before: unknown) => string {
  return (text, before) => {
    if (typeof before === "string") throw usageError(`${option} takes one value, found ${before} and ${text}`);
    return text;
  };
}

/** One of a few words; with `ignoreCase` the value is given back in capitals. */
export function oneOf(option: string, allowed: readonly string[], ignoreCase = false): (text: string) => string {
  return (text) => {
    const value = ignoreCase ? text.toUpperCase() : text;
    if (!allowed.includes(value))
      throw usageError(`${option} must be one of: ${allowed.join(", ")}; found ${JSON.stringify(text)}`);
    return value;
  };
}

function parseJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`${option} is not valid JSON: ${(error as Error).message}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return `a ${typeof value}`;
}
