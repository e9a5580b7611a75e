import { Command } from "commander";
import { usageError } from "../failure.ts";

/** Ends the one-line description of everything that a later release brings. */
export const LATER_MARK = "(comes with a later release)";

/** A command that is listed but refused by name, whatever its arguments. */
export function laterCommand(name: string, description: string, fullName = name): Command {
  return new Command(name)
    .description(`${description} ${LATER_MARK}`)
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption("-h, --help", "show this help")
    .action(() => {
      throw usageError(`\`agentcompass ${fullName}\` cannot be used yet: it comes with a later release`);
    });
}
