import type { ComponentDescriptor } from "../packages/core/src/plugin/index.ts";
import { builtinCatalog } from "../packages/runner/src/catalog/index.ts";
import { code, page, table } from "./docs-markdown.ts";
import { FIELD_HEADER, fieldRows } from "./docs-schema.ts";

const KINDS = [
  ["benchmark", "Benchmarks"],
  ["harness", "Harnesses"],
  ["environment", "Environments"],
] as const;

const LATER = "Comes with a later release: resolved in a dry run, refused when run.";

export function componentPage(): string {
  const catalog = builtinCatalog();
  const sections = KINDS.flatMap(([kind, title]) => [`## ${title}`, ...[...catalog[kind].values()].flatMap(component)]);
  return page(
    "Components",
    "What `benchmark.id`, `harness.id` and `environment.id` may name, with the parameters of each. Parameters stand beside `id`, without a `params` key. `agentcompass config docs KIND ID` prints the same.",
    ...sections,
  );
}

function component(descriptor: ComponentDescriptor<unknown>): string[] {
  const rows = fieldRows(descriptor.params);
  return [
    `### ${code(descriptor.id)}`,
    descriptor.description,
    ...(descriptor.load === null ? [LATER] : []),
    rows.length > 0 ? table(FIELD_HEADER, rows) : "No parameters.",
  ];
}
