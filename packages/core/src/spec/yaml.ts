import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { AgentCompassError, type ErrorCode } from "../error.ts";
import { joinPath } from "./validate.ts";
import { refuseUnlikePyYaml } from "./yaml-form.ts";
import { isWholeFloat, plainScalar, wholeFloatText, YamlTimestamp } from "./yaml-scalar.ts";

export type ParsedYaml = {
  readonly value: unknown;
  /** One line each: what is accepted as AgentCompass accepts it, and is surely a mistake. */
  readonly warnings: readonly string[];
  /** Paths of numbers written as floats with a whole value (`1.0`), as `requests[0].name`. */
  readonly wholeFloats: readonly string[];
};

type Reading = {
  readonly name: string;
  readonly code: ErrorCode;
  readonly document: Document;
  readonly lines: LineCounter;
  readonly warnings: string[];
  readonly wholeFloats: string[];
  readonly path: (string | number)[];
  readonly open: Set<Node>;
  /** Values read so far, those behind aliases as often as they are named. */
  values: number;
};

/** A file of this many values is no specification: aliases of aliases grow without end. */
const MOST_VALUES = 200_000;

/**
 * Reads one YAML 1.1 (or JSON) document as PyYAML's safe loader does. Throws `code` (default `spec.invalid`) with file, line and
 * column; duplicate keys are warnings, the last one wins.
 */
export function parseYaml(text: string, name: string, code: ErrorCode = "spec.invalid"): ParsedYaml {
  try {
    return readYaml(text, name, code);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AgentCompassError(code, `${name}: not readable YAML: it is nested too deeply`);
  }
}

function readYaml(text: string, name: string, code: ErrorCode): ParsedYaml {
  const lines = new LineCounter();
  const source = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const parsed = parseAllDocuments(source, {
    schema: "failsafe",
    version: "1.1",
    merge: false,
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "silent",
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  for (const document of documents) {
    const error = document.errors[0];
    if (error) throw broken({ name, code, lines }, error.pos[0], error.message);
  }
  refuseUnlikePyYaml(source, documents, (offset, message) => broken({ name, code, lines }, offset, message));
  const [document, second] = documents;
  if (!document) return { value: null, warnings: [], wholeFloats: [] };
  if (second) throw broken({ name, code, lines }, second.range[0], "a second document begins; one is allowed");
  const reading: Reading = {
    name,
    code,
    document,
    lines,
    warnings: [],
    wholeFloats: [],
    path: [],
    open: new Set(),
    values: 0,
  };
  const value = document.contents ? readNode(document.contents as Node, reading) : null;
  return { value, warnings: reading.warnings, wholeFloats: reading.wholeFloats };
}

function broken(reading: Pick<Reading, "name" | "code" | "lines">, offset: number, message: string): AgentCompassError {
  const { line, col } = reading.lines.linePos(offset);
  const text = message.split("\n", 1)[0] ?? "";
  return new AgentCompassError(reading.code, `${reading.name}:${line}:${col}: not readable YAML: ${text}`);
}

function fail(reading: Reading, node: Node, message: string): AgentCompassError {
  return broken(reading, node.range?.[0] ?? 0, message);
}

function readNode(node: Node | null, reading: Reading): unknown {
  if (node === null) return null;
  reading.values += 1;
  if (reading.values > MOST_VALUES)
    throw fail(reading, node, `more than ${MOST_VALUES} values; aliases of aliases multiply`);
  if (isAlias(node)) {
    const target = node.resolve(reading.document) as Node | undefined;
    if (!target) throw fail(reading, node, `unknown alias *${node.source}`);
    if (reading.open.has(target)) throw fail(reading, node, `alias *${node.source} contains itself`);
    return readNode(target, reading);
  }
  if (isScalar(node)) return scalarOf(node, reading);
  reading.open.add(node);
  try {
    if (isMap(node)) return mapOf(node, reading);
    if (isSeq(node)) return seqOf(node, reading);
  } finally {
    reading.open.delete(node);
  }
  throw fail(reading, node, "unknown kind of value");
}

/** Reads a value one level deeper, so that paths of whole floats are known. */
function readAt(step: string | number, node: Node | null, reading: Reading): unknown {
  reading.path.push(step);
  try {
    return readNode(node, reading);
  } finally {
    reading.path.pop();
  }
}

function seqOf(seq: YAMLSeq, reading: Reading): unknown[] {
  const name = tagName(seq.tag);
  if (name === "omap" || name === "pairs") return seq.items.flatMap((item) => pairsOf(item, seq, reading));
  if (name !== undefined && name !== "seq") throw fail(reading, seq, `tag ${seq.tag} does not go with a list`);
  return seq.items.map((item, index) => readAt(index, item as Node | null, reading));
}

function pairsOf(item: unknown, seq: Node, reading: Reading): [string, unknown][] {
  const pair = isMap(item) && item.items.length === 1 ? item.items[0] : undefined;
  const given = pair ?? (isPair(item) ? item : undefined);
  if (!given) throw fail(reading, seq, "an ordered mapping is a list of single pairs");
  return [[keyOf(given.key as Node | null, seq, reading), readNode(given.value as Node | null, reading)]];
}

/** The name of a tag of the YAML repository, or the whole tag; undefined for none. */
function tagName(tag: string | undefined): string | undefined {
  return tag === undefined || tag === "" || tag === "!" ? undefined : tag.replace(/^(?:!!|tag:yaml\.org,2002:)/, "");
}

function scalarOf(node: Scalar, reading: Reading): unknown {
  const text = String(node.value ?? "");
  if (tagName(node.tag) !== undefined) return tagged(node, node.tag ?? "", text, reading);
  if (node.type !== undefined && node.type !== "PLAIN") return text;
  const value = plainScalar(text);
  if (value === undefined) throw fail(reading, node, `'${text}' has no value here; put it in quotes`);
  if (isWholeFloat(text)) reading.wholeFloats.push(joinPath("", reading.path));
  return value;
}

/** Explicit tags of the YAML 1.1 repository; any other is refused, as it would name code to run. */
function tagged(node: Scalar, tag: string, text: string, reading: Reading): unknown {
  const name = tagName(tag);
  const value = plainScalar(text);
  if (name === "str") return text;
  if (name === "null") return null;
  if (name === "bool" && typeof value === "boolean") return value;
  if (name === "int" && Number.isInteger(value)) return value;
  if (name === "float" && !Number.isNaN(Number(text))) return Number(text);
  if (name === "float" && typeof value === "number") return value;
  if (name === "timestamp" && value instanceof YamlTimestamp) return value;
  throw fail(reading, node, `tag ${tag} with '${text}' is not allowed`);
}

function mapOf(map: YAMLMap, reading: Reading): Record<string, unknown> {
  const tag = tagName(map.tag);
  if (tag !== undefined && tag !== "map") throw fail(reading, map, `tag ${map.tag} does not go with a mapping`);
  const own = new Map<string, unknown>();
  const merged = new Map<string, unknown>();
  for (const pair of map.items) {
    const key = pair.key as Node | null;
    if (isMergeKey(key)) {
      for (const [name, value] of mergedPairs(pair.value as Node | null, reading))
        if (!merged.has(name)) merged.set(name, value);
      continue;
    }
    const name = keyOf(key, map, reading);
    if (own.has(name)) reading.warnings.push(`${reading.name}: key '${name}' is there twice; the last one counts`);
    own.set(name, readAt(name, pair.value as Node | null, reading));
  }
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, value] of [...merged, ...own]) result[name] = value;
  return { ...result };
}

function isMergeKey(key: Node | null): boolean {
  if (!isScalar(key) || key.value !== "<<" || tagName(key.tag) !== undefined) return false;
  return key.type === undefined || key.type === "PLAIN";
}

/** A key as Python prints it. */
function keyOf(key: Node | null, map: Node, reading: Reading): string {
  if (key === null || (isScalar(key) && key.type === "PLAIN" && key.value === "" && tagName(key.tag) === undefined))
    throw fail(reading, key ?? map, "a key is missing before ':'");
  if (isScalar(key) && key.type === "PLAIN" && key.value === "=") return "=";
  const value = readNode(key, reading);
  if (isScalar(key) && typeof value === "number" && isWholeFloat(String(key.value))) return wholeFloatText(value);
  if (value instanceof YamlTimestamp) return value.text;
  if (typeof value === "object" && value !== null) throw fail(reading, key ?? map, "a key must be a single value");
  if (value === true) return "True";
  if (value === false) return "False";
  return value === null ? "None" : String(value);
}

function mergedPairs(node: Node | null, reading: Reading): [string, unknown][] {
  const value = readNode(node, reading);
  const sources = Array.isArray(value) ? value : [value];
  const pairs: [string, unknown][] = [];
  for (const source of sources) {
    if (typeof source !== "object" || source === null || Array.isArray(source))
      throw fail(reading, node ?? (reading.document.contents as Node), "'<<' merges mappings only");
    pairs.push(...Object.entries(source));
  }
  return pairs;
}
