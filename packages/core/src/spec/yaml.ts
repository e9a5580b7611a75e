import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { AgentCompassError, type ErrorCode } from "../error.ts";
import { plainScalar, YamlTimestamp } from "./yaml-scalar.ts";

export type ParsedYaml = {
  readonly value: unknown;
  /** One line each: what is accepted as AgentCompass accepts it, and is surely a mistake. */
  readonly warnings: readonly string[];
};

type Reading = {
  readonly name: string;
  readonly code: ErrorCode;
  readonly document: Document;
  readonly lines: LineCounter;
  readonly warnings: string[];
  readonly open: Set<Node>;
};

/**
 * Reads one YAML 1.1 (or JSON) document as PyYAML's safe loader does. Throws `code` (default `spec.invalid`) with file, line and
 * column; duplicate keys are warnings, the last one wins.
 */
export function parseYaml(text: string, name: string, code: ErrorCode = "spec.invalid"): ParsedYaml {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text.replace(/^\uFEFF/, ""), {
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
  const [document, second] = documents;
  if (!document) return { value: null, warnings: [] };
  if (second) throw broken({ name, code, lines }, second.range[0], "a second document begins; one is allowed");
  const reading: Reading = { name, code, document, lines, warnings: [], open: new Set() };
  const value = document.contents ? readNode(document.contents as Node, reading) : null;
  return { value, warnings: reading.warnings };
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
    if (isSeq(node)) return node.items.map((item) => readNode(item as Node | null, reading));
  } finally {
    reading.open.delete(node);
  }
  throw fail(reading, node, "unknown kind of value");
}

function scalarOf(node: Scalar, reading: Reading): unknown {
  const text = String(node.value ?? "");
  const tag = node.tag;
  if (tag === undefined || tag === "!" || tag === "") {
    if (tag !== undefined || (node.type !== undefined && node.type !== "PLAIN")) return text;
    const value = plainScalar(text);
    if (value === undefined) throw fail(reading, node, "'=' has no value here; put it in quotes");
    return value;
  }
  return tagged(node, tag, text, reading);
}

/** Explicit tags of the YAML 1.1 repository; any other is refused, as it would name code to run. */
function tagged(node: Scalar, tag: string, text: string, reading: Reading): unknown {
  const name = tag.replace(/^(?:!!|tag:yaml\.org,2002:)/, "");
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
  const own = new Map<string, unknown>();
  const merged = new Map<string, unknown>();
  for (const pair of map.items) {
    const key = pair.key as Node | null;
    if (isScalar(key) && key.value === "<<" && (key.type === undefined || key.type === "PLAIN")) {
      for (const [name, value] of mergedPairs(pair.value as Node | null, reading))
        if (!merged.has(name)) merged.set(name, value);
      continue;
    }
    const name = keyOf(key, map, reading);
    if (own.has(name)) reading.warnings.push(`${reading.name}: key '${name}' is there twice; the last one counts`);
    own.set(name, readNode(pair.value as Node | null, reading));
  }
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, value] of [...merged, ...own]) result[name] = value;
  return { ...result };
}

function keyOf(key: Node | null, map: Node, reading: Reading): string {
  const value = readNode(key, reading);
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
