import type { Command } from "commander";
import { usageError } from "../failure.ts";
import { givenOptions } from "../option/given.ts";
import type { ActionContext } from "./context.ts";

type LaunchValues = { reuse?: boolean; dryRun?: boolean; json?: boolean };

/** `launch FILE`: every request of an orchestration file, or its dry run. */
export async function launchAction(command: Command, context: ActionContext): Promise<void> {
  const file = command.args[0];
  if (file === undefined) throw usageError("launch needs the path of an orchestration file");
  const values = command.opts<LaunchValues>();
  const options = { ...givenOptions(values), ...(values.reuse !== undefined && { reuse: values.reuse }) };
  if (values.dryRun === true) return dryRun(file, options, context);
  const { execute } = await import("../execute.ts");
  const code = await execute(context.host, {
    json: values.json === true,
    jsonOf: (result) => result,
    start: (sdk, callbacks) => sdk.launch({ file }, { ...options, ...callbacks }),
  });
  context.setExitCode(code);
}

async function dryRun(file: string, options: Record<string, unknown>, { host }: ActionContext): Promise<void> {
  const sdk = await host.sdk();
  const { payload, warnings } = await sdk.dryRun({ file }, options);
  for (const warning of warnings) host.stderr.write(`Warning: ${warning}\n`);
  const { yamlText } = await import("../output/yaml.ts");
  host.stdout.write(yamlText(payload));
}
