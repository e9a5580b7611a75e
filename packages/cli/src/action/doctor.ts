import type { Command } from "commander";
import { componentOptions } from "../option/given.ts";
import { renderTable } from "../output/table.ts";
import type { ActionContext } from "./context.ts";

/** `doctor`: what works on this machine, and why the rest does not. */
export async function doctorAction(command: Command, { host }: ActionContext): Promise<void> {
  const sdk = await host.sdk();
  const { checks } = await sdk.doctor(componentOptions(command));
  const rows = checks.map((check) => [check.status, check.name, check.detail]);
  host.stdout.write(renderTable({ header: ["Status", "Check", "Detail"], rows }));
}
