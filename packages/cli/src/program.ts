import type { Command } from "commander";
import packageFacts from "../package.json" with { type: "json" };
import type { ActionContext } from "./action/context.ts";
import { configCommand } from "./command/config.ts";
import { doctorCommand } from "./command/doctor.ts";
import { environmentCommand } from "./command/environment.ts";
import { laterCommand } from "./command/later.ts";
import { launchCommand } from "./command/launch.ts";
import { listCommand } from "./command/list.ts";
import { group } from "./command/new-command.ts";
import { runCommand } from "./command/run.ts";
import { summaryCommand } from "./command/summary.ts";
import type { Host } from "./host.ts";

/** Every command with its options. Actions are imported when they run, so that help is fast. */
export function createProgram(host: Host, setExitCode: (code: number) => void): Command {
  const context: ActionContext = { host, setExitCode };
  const program = group("agentcompass", "Evaluate AI agents: benchmark x harness x model x environment.");
  program.version(packageFacts.version, "--version", "show the version");
  const commands = [
    runCommand(context),
    launchCommand(context),
    configCommand(context),
    listCommand(context),
    summaryCommand(context),
    doctorCommand(context),
    laterCommand("analysis", "Analyze the results of a run again"),
    environmentCommand(),
    laterCommand("view", "Show results and live runs in a browser"),
  ];
  for (const command of commands) program.addCommand(command);
  quieten(program, host);
  return program;
}

/** Help goes to the host's stdout; errors are thrown to `main`, which prints them as one line. */
function quieten(command: Command, host: Host): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => host.stdout.write(text),
    writeErr: () => {},
    outputError: () => {},
    getOutHelpWidth: () => Math.max(60, Math.min(host.terminalSize().columns, 120)),
    getOutHasColors: () => false,
  });
  for (const child of command.commands) quieten(child, host);
}
