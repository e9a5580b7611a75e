import { AttemptsFields, ExecutionFields, ModelFields, OutputFields, RuntimeFields } from "@agentcompass/core/spec";
import type { Command } from "commander";
import { fieldOf } from "./definition.ts";

const SECTIONS = {
  attempts: AttemptsFields,
  execution: ExecutionFields,
  model: ModelFields,
  output: OutputFields,
  runtime: RuntimeFields,
} as const;

/** Gives every option that stands for a schema field that field's description. Apart from the options, which load no schema. */
export function describeOptions(command: Command): void {
  for (const option of command.options) {
    const field = fieldOf(option);
    if (field !== undefined) option.description = describedAs(field);
  }
  for (const child of command.commands) describeOptions(child);
}

type Field = { readonly description?: string | undefined; readonly unwrap?: () => unknown };

function describedAs(path: string): string {
  const [section = "", name = ""] = path.split(".");
  const shape: Readonly<Record<string, Field>> = SECTIONS[section as keyof typeof SECTIONS].shape;
  // The description may stand inside of what makes a field optional.
  let field = shape[name];
  while (field && field.description === undefined) field = field.unwrap?.() as Field | undefined;
  if (field?.description === undefined) throw new Error(`no schema field ${path} to describe an option with`);
  return field.description;
}
