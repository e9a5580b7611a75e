import type { Command } from "commander";
import type { ActionContext } from "../action/context.ts";
import { addOptions } from "../option/definition.ts";
import { RUN_OPTIONS } from "../option/run.ts";
import { lazyAction, newCommand } from "./new-command.ts";

export function runCommand(context: ActionContext): Command {
  const command = newCommand("run", "Evaluate one model with one harness on one benchmark")
    .usage("[options] BENCHMARK HARNESS MODEL")
    .argument("[benchmark]", "benchmark id")
    .argument("[harness]", "harness id; `none` for a benchmark that needs none")
    .argument("[model]", "model id as the endpoint knows it; `none` with a harness that calls no model");
  return addOptions(command, RUN_OPTIONS).action(
    lazyAction(context, async () => (await import("../action/run.ts")).runAction),
  );
}
