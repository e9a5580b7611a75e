import type { Command } from "commander";
import type { ActionContext } from "../action/context.ts";
import { addOptions } from "../option/definition.ts";
import { COMPONENT_OPTION } from "../option/shared.ts";
import { lazyAction, newCommand } from "./new-command.ts";

export function doctorCommand(context: ActionContext): Command {
  const command = newCommand("doctor", "Say what works on this machine, and why the rest does not");
  return addOptions(command, [COMPONENT_OPTION]).action(
    lazyAction(context, async () => (await import("../action/doctor.ts")).doctorAction),
  );
}
