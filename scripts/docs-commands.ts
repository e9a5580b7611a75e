import type { Command } from "commander";
import type { Host } from "../packages/cli/src/host.ts";
import { describeOptions } from "../packages/cli/src/option/describe.ts";
import { createProgram } from "../packages/cli/src/program.ts";
import { page } from "./docs-markdown.ts";

const COLUMNS = 110;

/** A host that is never used: help needs only the width. */
const host: Host = {
  sdk: () => Promise.reject(new Error("help needs no SDK")),
  stdout: { write: () => {} },
  stderr: { write: () => {} },
  env: {},
  isTty: false,
  terminalSize: () => ({ columns: COLUMNS, rows: 50 }),
  now: () => new Date(0),
  every: () => () => {},
  onStopSignal: () => () => {},
  exitNow: () => {},
};

/** The commands, to be read and not run. */
export function documentedProgram(): Command {
  const program = createProgram(host, () => {});
  describeOptions(program);
  return program;
}

export function commandPage(): string {
  const sections = commandsOf(documentedProgram()).map(
    ({ name, command }) => `## ${name}\n\n\`\`\`text\n${command.helpInformation().trimEnd()}\n\`\`\``,
  );
  return page(
    "Command line",
    "The help of every command. Defaults and their places in files and the SDK stand in [options](../options.md).",
    ...sections,
  );
}

type Named = { readonly name: string; readonly command: Command };

function commandsOf(command: Command, parent = ""): Named[] {
  const name = `${parent}${command.name()}`;
  return [{ name, command }, ...command.commands.flatMap((child) => commandsOf(child, `${name} `))];
}
