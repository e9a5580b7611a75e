import { toJSONSchema, type z } from "zod";
import { code } from "./docs-markdown.ts";

export const FIELD_HEADER = ["Field", "Type", "Default", "Meaning"] as const;

type Schema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly description?: string;
};

type Resolve = (schema: Schema) => Schema;

/** One row for each field of an object schema, nested ones with dotted names unless `isFlat`. */
export function fieldRows(schema: z.ZodType, { isFlat = false } = {}): string[][] {
  const root = toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as Schema;
  const resolve: Resolve = (part) => {
    const name = part.$ref?.split("/").at(-1);
    return name === undefined ? part : { ...root.$defs?.[name], ...part };
  };
  const rows = rowsOf(resolve(root), "", resolve);
  return isFlat ? rows.filter(([path]) => !/[.[]/.test(path ?? "")) : rows;
}

function rowsOf(schema: Schema, prefix: string, resolve: Resolve): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, raw]) => {
    const field = resolve(raw);
    const path = `${prefix}${name}`;
    const row = [code(path), typeText(field, resolve), defaultText(field.default), field.description ?? ""];
    return [row, ...nestedRows(field, path, resolve)];
  });
}

function nestedRows(field: Schema, path: string, resolve: Resolve): string[][] {
  const inner = variants(field, resolve);
  const object = inner.find((one) => one.properties !== undefined);
  if (object) return rowsOf(object, `${path}.`, resolve);
  const list = inner.find((one) => one.type === "array");
  const item = list?.items && variants(resolve(list.items), resolve).find((one) => one.properties !== undefined);
  return item ? rowsOf(item, `${path}[].`, resolve) : [];
}

function variants(schema: Schema, resolve: Resolve): readonly Schema[] {
  const parts = schema.anyOf ?? schema.oneOf;
  return parts ? parts.flatMap((part) => variants(resolve(part), resolve)) : [schema];
}

function typeText(raw: Schema, resolve: Resolve): string {
  const schema = resolve(raw);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return [...new Set(parts.map((part) => typeText(part, resolve)))].join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeText(schema.items, resolve) : "anything"}`;
  if (schema.type === "object") return mappingText(schema, resolve);
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" or ") ?? "anything");
}

function mappingText({ properties, additionalProperties }: Schema, resolve: Resolve): string {
  if (properties || typeof additionalProperties !== "object") return "mapping";
  return `mapping to ${typeText(additionalProperties, resolve)}`;
}

function defaultText(value: unknown): string {
  return value === undefined ? "" : code(JSON.stringify(value));
}
