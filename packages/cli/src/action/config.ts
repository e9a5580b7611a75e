import type { Command } from "commander";
import type { ActionContext } from "./context.ts";

const KINDS = ["benchmark", "harness", "environment"] as const;

/** `config show`: the effective runtime and execution sections and the selected components, redacted. */
export async function configShowAction(command: Command, { host }: ActionContext): Promise<void> {
  const values = command.opts<Record<string, unknown>>();
  const sdk = await host.sdk();
  const chosen = Object.fromEntries(
    KINDS.flatMap((kind) => {
      const ids = values[kind === "environment" ? "env" : kind];
      return ids === undefined ? [] : [[kind, ids]];
    }),
  );
  const shown = await sdk.configShow({
    ...chosen,
    ...(values["config"] !== undefined && { configPath: values["config"] }),
  });
  if (values["format"] === "json") {
    host.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  const { yamlText } = await import("../output/yaml.ts");
  host.stdout.write(yamlText(shown));
}

/** `config docs KIND ID`: the fields of one component with types, defaults and descriptions. */
export async function configDocsAction(command: Command, { host }: ActionContext): Promise<void> {
  const sdk = await host.sdk();
  const { componentDocs } = await import("../output/component-docs.ts");
  host.stdout.write(componentDocs(await sdk.components(), command.args[0] ?? "", command.args[1] ?? ""));
}
