import { type Command, Option } from "commander";
import type { ActionContext } from "../action/context.ts";
import { addOptions } from "../option/definition.ts";
import { COMPONENT_OPTION, CONFIG_OPTION } from "../option/shared.ts";
import { oneOf } from "../option/value.ts";
import { group, lazyAction, newCommand } from "./new-command.ts";

export function configCommand(context: ActionContext): Command {
  return group("config", "Show configuration and the fields of components")
    .addCommand(showCommand(context))
    .addCommand(docsCommand(context));
}

function showCommand(context: ActionContext): Command {
  const command = newCommand("show", "Print the effective configuration, secrets redacted");
  addOptions(command, [CONFIG_OPTION, COMPONENT_OPTION]);
  for (const kind of ["benchmark", "harness", "env"]) {
    const noun = kind === "env" ? "environment" : kind;
    command.option(`--${kind} <id...>`, `also show this ${noun}; several ids may follow`);
    command.option(`--empty-${kind}`, `show no ${noun} (the default)`);
  }
  const format = new Option("--format <format>", "yaml or json (default: yaml)");
  return command
    .addOption(format.argParser(oneOf("--format", ["yaml", "json"])))
    .action(lazyAction(context, async () => (await import("../action/config.ts")).configShowAction));
}

function docsCommand(context: ActionContext): Command {
  const command = newCommand("docs", "Print the fields of a component with types, defaults and descriptions");
  return addOptions(command, [COMPONENT_OPTION])
    .argument("<kind>", "benchmark, harness, env, scorer or recipe")
    .argument("<id>", "component id")
    .action(lazyAction(context, async () => (await import("../action/config.ts")).configDocsAction));
}
