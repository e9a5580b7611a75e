import type { Catalog, ComponentDescriptor, OwnComponentKind } from "@agentcompass/core/plugin";
import { PROTOCOLS } from "@agentcompass/core/spec";
import { z } from "zod";
import { LATER_MARK } from "../command/later.ts";

export type ComponentLine = { readonly id: string; readonly description: string };

type Descriptors = ReadonlyMap<string, ComponentDescriptor<unknown>>;

/** Components by id; a mark says which come with a later release, a path which come from a file of the user's own. */
export function componentLines(descriptors: Descriptors): ComponentLine[] {
  return [...descriptors.values()].map((one) => ({ id: one.id, description: describe(one) })).sort(byId);
}

function describe({ description, load, origin }: ComponentDescriptor<unknown>): string {
  if (load === null) return `${description} ${LATER_MARK}`;
  return withOrigin(description, origin);
}

function withOrigin(description: string, origin: string | undefined): string {
  return origin === undefined ? description : `${description} (${origin})`;
}

function byId(left: ComponentLine, right: ComponentLine): number {
  return left.id < right.id ? -1 : 1;
}

/** What `jsonl` takes as its scorer. */
export function scorerLines(catalog: Catalog): ComponentLine[] {
  const schema = catalog.benchmark.get("jsonl")?.params.shape["scorer"] as z.ZodType | undefined;
  const own = ownLines(catalog, "scorer");
  return idsOf(schema).map(
    (id) => own.find((line) => line.id === id) ?? { id, description: scorerText(schema?.description ?? "", id) },
  );
}

/** What the description of the field says of one scorer: its sentence that begins with `id: `. */
function scorerText(description: string, id: string): string {
  const [, text] = new RegExp(`\\b${id}: ([^.]+\\.)`).exec(description) ?? [];
  return text ?? "See `agentcompass config docs benchmark jsonl`.";
}

function idsOf(schema: z.ZodType | undefined): readonly string[] {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : [];
}

/** Recipes in the order in which they are tried. */
export function recipeLines(catalog: Catalog): ComponentLine[] {
  return ownLines(catalog, "recipe");
}

function ownLines(catalog: Catalog, kind: OwnComponentKind): ComponentLine[] {
  return (catalog.files ?? []).flatMap(({ path, components }) =>
    components
      .filter((one) => one.kind === kind)
      .map(({ id, description }) => ({ id, description: withOrigin(description, path) })),
  );
}

const PROTOCOL_TEXTS: Readonly<Record<(typeof PROTOCOLS)[number], string>> = {
  "openai-chat": "OpenAI chat completions, and the many endpoints that speak them",
  "openai-responses": "OpenAI Responses",
  anthropic: "Anthropic Messages",
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
    section("Scorers", scorerLines(catalog)),
    section("Recipes", recipeLines(catalog)),
    section("Analyzers", []),
  ].join("\n");
}

function section(title: string, lines: readonly ComponentLine[]): string {
  const rows = lines.map((line) => `| ${line.id} | ${line.description.replaceAll("|", "\\|")} |\n`);
  return `## ${title}\n\n| id | description |\n| --- | --- |\n${rows.join("")}`;
}
