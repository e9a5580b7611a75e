import { type Command, Option } from "commander";

export type Parse = (text: string, before: never) => unknown;

/** One option of a command. `field` is the path of the schema field whose description is the help text. */
export type OptionDefinition = {
  readonly flags: string;
  readonly text: string;
  readonly parse?: Parse;
};

/** Adds options in the order of the list, so that help shows them in that order. */
export function addOptions(command: Command, definitions: readonly OptionDefinition[]): Command {
  for (const definition of definitions) command.addOption(createOption(definition));
  return command;
}

function createOption(definition: OptionDefinition): Option {
  const option = new Option(definition.flags, definition.text);
  if (definition.parse) option.argParser(definition.parse as (text: string, before: unknown) => unknown);
  return option;
}
