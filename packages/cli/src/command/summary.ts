import type { Command } from "commander";
import type { ActionContext } from "../action/context.ts";
import { addOptions, type OptionDefinition } from "../option/definition.ts";
import { COMPONENT_OPTION, CONFIG_OPTION, JSON_OPTION } from "../option/shared.ts";
import { jsonObject } from "../option/value.ts";
import { lazyAction, newCommand } from "./new-command.ts";

const SUMMARY_OPTIONS: readonly OptionDefinition[] = [
  CONFIG_OPTION,
  COMPONENT_OPTION,
  {
    flags: "--benchmark-params <json>",
    text: "benchmark parameters for the report, for instance aggregation_mode or category_hierarchy",
    parse: jsonObject("--benchmark-params"),
  },
  { flags: "--dry-run", text: "print the summary and write nothing" },
  { flags: "--no-dry-run", text: "write metrics.json and summary.md (the default)" },
  JSON_OPTION,
];

export function summaryCommand(context: ActionContext): Command {
  const command = newCommand("summary", "Compute the metrics of a run again from its stored results")
    .usage("[options] RUN_DIR")
    .argument("<run-dir>", "directory of a run, ours or AgentCompass's");
  return addOptions(command, SUMMARY_OPTIONS).action(
    lazyAction(context, async () => (await import("../action/summary.ts")).summaryAction),
  );
}
