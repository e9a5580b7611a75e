import { AgentCompassError } from "@agentcompass/core";
import type { Catalog } from "@agentcompass/core/plugin";
import { toJSONSchema, type z } from "zod";
import { usageError } from "../failure.ts";
import { truncateMiddle } from "./shorten.ts";
import { renderTable } from "./table.ts";

const KINDS: Readonly<Record<string, keyof Catalog>> = {
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
  const rows = fieldRows(descriptor.params);
  const table = renderTable({ header: ["Field", "Type", "Default", "Description"], rows });
  return `${kind} ${id}: ${descriptor.description}\n${table}`;
}

function unknownComponent(kind: string, id: string, known: readonly string[]): AgentCompassError {
  return new AgentCompassError(
    "component.unknown",
    `unknown ${kind} ${JSON.stringify(id)}; known: ${[...known].sort().join(", ")}`,
  );
}

type Schema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly description?: string;
};

function fieldRows(params: z.ZodObject): string[][] {
  const root = toJSONSchema(params, { io: "input", unrepresentable: "any" }) as Schema;
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : { ...root.$defs?.[name], ...schema };
  };
  return Object.entries(resolve(root).properties ?? {})
    .filter(([field]) => field !== "model")
    .map(([field, schema]) => [
      field,
      typeText(resolve(schema)),
      defaultText(schema.default),
      resolve(schema).description ?? "",
    ]);
}

function typeText(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(" | ");
  if (schema.type === "array") return schema.items?.type ? `${typeText(schema.items)}[]` : "array";
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" | ") ?? "any");
}

function defaultText(value: unknown): string {
  if (value === undefined) return "-";
  const text = JSON.stringify(value);
  return /^"\$\{.*\}"$/.test(text) ? text : truncateMiddle(text, 32);
}
