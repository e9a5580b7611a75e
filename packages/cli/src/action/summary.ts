import type { Command } from "commander";
import type { ActionContext } from "./context.ts";

type SummaryValues = {
  config?: readonly string[];
  component?: readonly string[];
  benchmarkParams?: Readonly<Record<string, unknown>>;
  dryRun?: boolean;
  json?: boolean;
};

/** `summary RUN_DIR`: metrics.json and summary.md computed again from the stored results. */
export async function summaryAction(command: Command, { host }: ActionContext): Promise<void> {
  const values = command.opts<SummaryValues>();
  const sdk = await host.sdk();
  const report = await sdk.summary(command.args[0] ?? "", {
    ...(values.config !== undefined && { configPath: values.config }),
    ...(values.component !== undefined && { components: values.component }),
    ...(values.benchmarkParams !== undefined && { benchmarkParams: values.benchmarkParams }),
    ...(values.dryRun === true && { dryRun: true }),
  });
  if (values.json === true) {
    host.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  host.stdout.write(report.markdown.endsWith("\n") ? report.markdown : `${report.markdown}\n`);
  for (const path of writtenFiles(report.paths)) if (!report.dry_run) host.stderr.write(`Written: ${path}\n`);
}

function writtenFiles(paths: Readonly<Record<string, string>>): string[] {
  return ["metrics_json", "summary_md"].flatMap((name) => paths[name] ?? []);
}
