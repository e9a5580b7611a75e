import { toJSONSchema, type z } from "zod";
import { truncateMiddle } from "./shorten.ts";

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

/** Sections that are shown field by field, as `setup.image`. */
const OPENED = ["setup", "evaluation_setup"];

/** Name, type, default and description of every field of a schema. */
export function fieldRows(fields: z.ZodObject): string[][] {
  const written = propertiesOf(fields, "input");
  // What is written may be anything where text is turned into numbers; then the type of what comes out is shown.
  const read = propertiesOf(fields, "output");
  return Object.entries(written).flatMap(([name, schema]) => rowsOf(name, schema, read[name] ?? {}));
}

function propertiesOf(fields: z.ZodObject, io: "input" | "output"): Readonly<Record<string, Schema>> {
  const root = toJSONSchema(fields, { io, unrepresentable: "any" }) as Schema;
  const named = root.$defs?.[root.$ref?.split("/").at(-1) ?? ""];
  return { ...named, ...root }.properties ?? {};
}

function rowsOf(name: string, written: Schema, read: Schema): string[][] {
  if (!OPENED.includes(name)) return [row(name, written, read)];
  const inner = sectionOf(read);
  return Object.entries(sectionOf(written)).map(([field, schema]) =>
    row(`${name}.${field}`, schema, inner[field] ?? {}),
  );
}

function sectionOf(schema: Schema): Readonly<Record<string, Schema>> {
  return [schema, ...(schema.anyOf ?? [])].find((one) => one.properties)?.properties ?? {};
}

function row(name: string, written: Schema, read: Schema): string[] {
  const type = typeText(written).includes("any") ? typeText(read) : typeText(written);
  return [name, type, defaultText(written.default), written.description ?? ""];
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
