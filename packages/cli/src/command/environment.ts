import type { Command } from "commander";
import { LATER_MARK, laterCommand } from "./later.ts";
import { group } from "./new-command.ts";

export function environmentCommand(): Command {
  return group("env", `Manage environments that a run left open ${LATER_MARK}`)
    .addCommand(laterCommand("list", "List open environments", "env list"))
    .addCommand(laterCommand("close", "Close open environments", "env close"));
}
