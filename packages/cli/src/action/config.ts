import type { Command } from "commander";
import { componentOptions } from "../option/given.ts";
import type { ActionContext } from "./context.ts";

type ShowValues = {
  config?: readonly string[];
  component?: readonly string[];
  benchmark?: readonly string[];
  harness?: readonly string[];
  env?: readonly string[];
  format?: "yaml" | "json";
};

/** `config show`: the effective runtime and execution sections and the selected components, redacted. */
export async function configShowAction(command: Command, { host }: ActionContext): Promise<void> {
  const { config, component, benchmark = [], harness = [], env = [], format } = command.opts<ShowValues>();
  const sdk = await host.sdk();
  const shown = await sdk.configShow({
    ...(config !== undefined && { configPath: config }),
    ...(component !== undefined && { components: component }),
    benchmark,
    harness,
    environment: env,
  });
  if (format === "json") {
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
  host.stdout.write(
    componentDocs(await sdk.components(componentOptions(command)), command.args[0] ?? "", command.args[1] ?? ""),
  );
}
