import type { Command } from "commander";
import type { ActionContext } from "../action/context.ts";
import { addOptions } from "../option/definition.ts";
import { LAUNCH_OPTIONS } from "../option/launch.ts";
import { lazyAction, newCommand } from "./new-command.ts";

export function launchCommand(context: ActionContext): Command {
  const command = newCommand("launch", "Run every request of an orchestration file")
    .usage("[options] PATH")
    .argument("<path>", "orchestration file, YAML or JSON");
  return addOptions(command, LAUNCH_OPTIONS).action(
    lazyAction(context, async () => (await import("../action/launch.ts")).launchAction),
  );
}
