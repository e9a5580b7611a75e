import { builtinCatalog } from "../packages/runner/src/catalog/index.ts";
import { code, pageHead, table } from "./docs-markdown.ts";
import { FIELD_HEADER, fieldRows } from "./docs-schema.ts";

const KINDS = [
  ["benchmark", "Benchmarks"],
  ["harness", "Harnesses"],
  ["environment", "Environments"],
] as const;

const LATER = "Comes with a later release: resolved in a dry run, refused when run.";

export function componentPage(): string {
  const catalog = builtinCatalog();
  const sections = KINDS.map(([kind, title]) => {
    const parts = [...catalog[kind].values()].map((descriptor) => {
      const rows = fieldRows(descriptor.params);
      const fields = rows.length > 0 ? table(FIELD_HEADER, rows) : "No parameters.\n";
      const later = descriptor.load === null ? `${LATER}\n\n` : "";
      return `\n### ${code(descriptor.id)}\n\n${descriptor.description}\n\n${later}${fields}`;
    });
    return `\n## ${title}\n${parts.join("")}`;
  });
  return (
    pageHead(
      "Components",
      "What `benchmark.id`, `harness.id` and `environment.id` may name, with the parameters of each. Parameters stand beside `id`, without a `params` key. `agentcompass config docs KIND ID` prints the same.",
    ) + sections.join("")
  );
}
