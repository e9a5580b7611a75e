import { AgentCompassError } from "@agentcompass/core";
import type { Catalog, ComponentKind } from "@agentcompass/core/plugin";
import { EnvironmentFields, nearest } from "@agentcompass/core/spec";
import { usageError } from "../failure.ts";
import { fieldRows } from "./field-rows.ts";
import { renderTable } from "./table.ts";

const KINDS: Readonly<Record<string, ComponentKind>> = {
  benchmark: "benchmark",
  harness: "harness",
  env: "environment",
  environment: "environment",
};

/** A table of a component's fields: name, type, default, description. */
export function componentDocs(catalog: Catalog, kindText: string, id: string): string {
  const kind = KINDS[kindText];
  if (kind === undefined)
    throw usageError(`KIND must be one of: benchmark, harness, env; found ${JSON.stringify(kindText)}`);
  const descriptor = catalog[kind].get(id);
  if (descriptor === undefined) throw unknownComponent(kind, id, [...catalog[kind].keys()]);
  const own = fieldRows(descriptor.params).filter(([field]) => kind !== "benchmark" || field !== "model");
  const rows = kind === "environment" ? [...fieldRows(EnvironmentFields), ...own] : own;
  const table = renderTable({ header: ["Field", "Type", "Default", "Description"], rows });
  return `${kind} ${id}: ${descriptor.description}\n${table}`;
}

function unknownComponent(kind: string, id: string, known: readonly string[]): AgentCompassError {
  const meant = nearest(id, known);
  return new AgentCompassError(
    "component.unknown",
    `unknown ${kind} ${JSON.stringify(id)}${meant ? `; did you mean ${JSON.stringify(meant)}?` : ""} (known: ${[...known].sort().join(", ")})`,
  );
}
