import type { Command } from "commander";
import type { ActionContext } from "../action/context.ts";
import { lazyAction, newCommand } from "./new-command.ts";

export function doctorCommand(context: ActionContext): Command {
  return newCommand("doctor", "Say what works on this machine, and why the rest does not").action(
    lazyAction(context, async () => (await import("../action/doctor.ts")).doctorAction),
  );
}
