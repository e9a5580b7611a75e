import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { AgentCompassError, errorText } from "@agentcompass/core";
import type { Catalog } from "@agentcompass/core/plugin";
import type { Command } from "commander";
import { componentOptions } from "../option/given.ts";
import {
  type ComponentLine,
  componentDump,
  componentLines,
  recipeLines,
  scorerLines,
} from "../output/component-list.ts";
import { renderTable } from "../output/table.ts";
import type { ActionContext } from "./context.ts";

const TITLES = {
  benchmark: "Benchmarks",
  harness: "Harnesses",
  env: "Environments",
  scorer: "Scorers",
  recipe: "Recipes",
  analyzer: "Analyzers",
} as const;

export type ListKind = keyof typeof TITLES;

/** `list KIND`: ids and descriptions; a mark says which come with a later release. */
export function listAction(kind: ListKind): (command: Command, context: ActionContext) => Promise<void> {
  return async (command, { host }) => {
    const sdk = await host.sdk();
    const lines = linesOf(kind, await sdk.components(componentOptions(command)));
    const header = kind === "analyzer" ? ["Id", "Category", "Description"] : ["Id", "Description"];
    const rows = lines.map((line) => [line.id, line.description]);
    host.stdout.write(`${TITLES[kind]} (${lines.length})\n${renderTable({ header, rows })}`);
  };
}

function linesOf(kind: ListKind, catalog: Catalog): ComponentLine[] {
  // Analyzers come with a later release: there is none to list yet.
  if (kind === "analyzer") return [];
  if (kind === "scorer") return scorerLines(catalog);
  if (kind === "recipe") return recipeLines(catalog);
  return componentLines(catalog[kind === "env" ? "environment" : kind]);
}

const DUMP = "agentcompass_components.md";

/** `list dump`: every component in one Markdown file of the current directory; prints its path. */
export async function listDumpAction(command: Command, { host }: ActionContext): Promise<void> {
  const sdk = await host.sdk();
  const path = resolve(DUMP);
  const catalog = await sdk.components(componentOptions(command));
  try {
    await writeFile(path, componentDump(catalog));
  } catch (error) {
    throw new AgentCompassError("store.unwritable", `cannot write ${path}: ${errorText(error)}`, { cause: error });
  }
  host.stdout.write(`${path}\n`);
}
