import type { Catalog, ComponentDescriptor } from "@agentcompass/core/plugin";
import { PROTOCOLS } from "@agentcompass/core/spec";
import { LATER_MARK } from "../command/later.ts";

export type ComponentLine = { readonly id: string; readonly description: string };

type Descriptors = ReadonlyMap<string, ComponentDescriptor<unknown>>;

/** Components by id; a mark says which come with a later release. */
export function componentLines(descriptors: Descriptors): ComponentLine[] {
  return [...descriptors.values()]
    .map((one) => ({
      id: one.id,
      description: one.load === null ? `${one.description} ${LATER_MARK}` : one.description,
    }))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

const PROTOCOL_TEXTS: Readonly<Record<(typeof PROTOCOLS)[number], string>> = {
  "openai-chat": "OpenAI chat completions, and the many endpoints that speak them",
  "openai-responses": `OpenAI responses ${LATER_MARK}`,
  anthropic: `Anthropic messages ${LATER_MARK}`,
};

/** Every component as Markdown tables. */
export function componentDump(catalog: Catalog): string {
  return [
    section("Benchmarks", componentLines(catalog.benchmark)),
    section("Harnesses", componentLines(catalog.harness)),
    section("Environments", componentLines(catalog.environment)),
    section(
      "Model API Protocols",
      PROTOCOLS.map((id) => ({ id, description: PROTOCOL_TEXTS[id] })),
    ),
    section("Analyzers", []),
  ].join("\n");
}

function section(title: string, lines: readonly ComponentLine[]): string {
  const rows = lines.map((line) => `| ${line.id} | ${line.description.replaceAll("|", "\\|")} |\n`);
  return `## ${title}\n\n| id | description |\n| --- | --- |\n${rows.join("")}`;
}
