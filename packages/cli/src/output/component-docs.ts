import { AgentCompassError } from "@agentcompass/core";
import type { Catalog, ComponentKind } from "@agentcompass/core/plugin";
import { EnvironmentFields, nearest } from "@agentcompass/core/spec";
import { usageError } from "../failure.ts";
import { type ComponentLine, recipeLines, scorerLines } from "./component-list.ts";
import { fieldRows } from "./field-rows.ts";
import { renderTable } from "./table.ts";

const KINDS: Readonly<Record<string, ComponentKind>> = {
  benchmark: "benchmark",
  harness: "harness",
  env: "environment",
  environment: "environment",
};

const LINES: Readonly<Record<string, (catalog: Catalog) => readonly ComponentLine[]>> = {
  scorer: scorerLines,
  recipe: recipeLines,
};

/** A table of a component's fields: name, type, default, description. */
export function componentDocs(catalog: Catalog, kindText: string, id: string): string {
  const lines = LINES[kindText]?.(catalog);
  if (lines) return lineDocs(kindText, id, lines);
  const kind = KINDS[kindText];
  if (kind === undefined)
    throw usageError(`KIND must be one of: benchmark, harness, env, scorer, recipe; found ${JSON.stringify(kindText)}`);
  const descriptor = catalog[kind].get(id);
  if (descriptor === undefined) throw unknownComponent(kind, id, [...catalog[kind].keys()]);
  const own = fieldRows(descriptor.params).filter(([field]) => kind !== "benchmark" || field !== "model");
  const rows = kind === "environment" ? [...fieldRows(EnvironmentFields), ...own] : own;
  const table = renderTable({ header: ["Field", "Type", "Default", "Description"], rows });
  const origin = descriptor.origin === undefined ? "" : ` (${descriptor.origin})`;
  return `${kind} ${id}: ${descriptor.description}${origin}\n${table}`;
}

/** Scorers and recipes have no fields: what there is to say is one line. */
function lineDocs(kind: string, id: string, lines: readonly ComponentLine[]): string {
  const found = lines.find((line) => line.id === id);
  if (found) return `${kind} ${id}: ${found.description}\n`;
  throw unknownComponent(
    kind,
    id,
    lines.map((line) => line.id),
  );
}

function unknownComponent(kind: string, id: string, known: readonly string[]): AgentCompassError {
  const meant = nearest(id, known);
  return new AgentCompassError(
    "component.unknown",
    `unknown ${kind} ${JSON.stringify(id)}${meant ? `; did you mean ${JSON.stringify(meant)}?` : ""} (known: ${[...known].sort().join(", ") || "none"})`,
  );
}
