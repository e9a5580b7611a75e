import { Command } from "commander";
import type { ActionContext } from "../action/context.ts";
import { usageError } from "../failure.ts";

export type Action = (command: Command, context: ActionContext) => Promise<void>;

export function newCommand(name: string, description: string): Command {
  return new Command(name).description(description).helpOption("-h, --help", "show this help").helpCommand(false);
}

/** A command that only holds others; alone it shows its help. */
export function group(name: string, description: string): Command {
  const command = newCommand(name, description).usage("[options] COMMAND").allowExcessArguments();
  return command.action(() => {
    const unknown = command.args[0];
    if (unknown === undefined) command.help();
    const known = command.commands.map((child) => child.name()).join(", ");
    throw usageError(`unknown command ${JSON.stringify(unknown)} of ${name}; known: ${known}`);
  });
}

/** Imports an action when it runs and hands it the parsed command. */
export function lazyAction(
  context: ActionContext,
  load: () => Promise<Action>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const action = await load();
    await action(given.at(-1) as Command, context);
  };
}
