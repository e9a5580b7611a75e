import { type Command, Option } from "commander";

export type Parse = (text: string, before: never) => unknown;

/** One option of a command. Its help text is its own or the description of a schema field, by path. */
export type OptionDefinition = {
  readonly flags: string;
  readonly parse?: Parse;
} & ({ readonly text: string } | { readonly field: string });

const fields = new WeakMap<Option, string>();

/** Adds options in the order of the list, so that help shows them in that order. */
export function addOptions(command: Command, definitions: readonly OptionDefinition[]): Command {
  for (const definition of definitions) command.addOption(createOption(definition));
  return command;
}

function createOption(definition: OptionDefinition): Option {
  const option = new Option(definition.flags, "text" in definition ? definition.text : "");
  if ("field" in definition) fields.set(option, definition.field);
  if (definition.parse) option.argParser(definition.parse as (text: string, before: unknown) => unknown);
  return option;
}

/** The schema field whose description is the help text of an option, as `execution.max_retries`. */
export function fieldOf(option: Option): string | undefined {
  return fields.get(option);
}
