import type { Command } from "commander";
import type { ActionContext } from "../action/context.ts";
import type { ListKind } from "../action/list.ts";
import { addOptions } from "../option/definition.ts";
import { COMPONENT_OPTION } from "../option/shared.ts";
import { group, lazyAction, newCommand } from "./new-command.ts";

const KINDS: readonly (readonly [ListKind, string])[] = [
  ["benchmark", "List benchmarks"],
  ["harness", "List harnesses"],
  ["env", "List environments"],
  ["scorer", "List scorers of the benchmark jsonl"],
  ["recipe", "List recipes"],
  ["analyzer", "List analyzers"],
];

export function listCommand(context: ActionContext): Command {
  const list = group("list", "List components");
  for (const [kind, description] of KINDS)
    list.addCommand(
      addOptions(newCommand(kind, description), [COMPONENT_OPTION]).action(
        lazyAction(context, async () => (await import("../action/list.ts")).listAction(kind)),
      ),
    );
  return list.addCommand(
    addOptions(newCommand("dump", "Write all components to agentcompass_components.md here"), [
      COMPONENT_OPTION,
    ]).action(lazyAction(context, async () => (await import("../action/list.ts")).listDumpAction)),
  );
}
