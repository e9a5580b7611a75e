/** Scalars as AgentCompass reads them: a number may be written as text, a text as a number or a truth value. */
import { z } from "zod";
import { YamlTimestamp } from "./yaml-scalar.ts";

/** A number, or the text of one, as AgentCompass reads it. */
export const numeric = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value), schema);

/** The same, where a truth value counts as 1 or 0. */
export const truthAsNumber = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === "boolean" ? Number(value) : value), numeric(schema));

/** A text; a number or a truth value counts as the text that Python prints of it, as AgentCompass takes it. */
export const text = z.preprocess((value) => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "number" || value instanceof YamlTimestamp ? String(value) : value;
}, z.string());

export const seconds = numeric(z.number({ error: "must be a number of seconds above 0" }).finite().positive());
export const factor = numeric(z.number({ error: "must be a number above 0" }).finite().positive());
/** Cut to a whole number. */
export const count = z.preprocess((value) => {
  if (typeof value === "string") return /^\s*[-+]?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof value === "number" || typeof value === "boolean" ? Math.trunc(Number(value)) : value;
}, z.number({ error: "must be a whole number" }).int());

/** A whole number; 4.0 counts as 4. */
export const whole = z.number().int();

/** A word in any case, blanks around it dropped. */
export const word = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value);
