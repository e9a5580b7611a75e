import type { z } from "zod";
import {
  EnvironmentFields,
  ExecutionFields,
  ModelFields,
  OrchestrationFile,
  OutputFields,
  PolicyFields,
  RequestFields,
  RequestRuntimeFields,
  ResourceFields,
  RuntimeFields,
  SetupFields,
} from "../packages/core/src/spec/fields.ts";
import { PriceFields } from "../packages/core/src/spec/prices.ts";
import { code, page, table } from "./docs-markdown.ts";
import { fieldRows } from "./docs-schema.ts";

const HEADER = ["Field", "Type", "Meaning"] as const;

const COMPONENTS =
  "A mapping: `id`, and beside it the parameters of that component, without a `params` key. [Components](components.md) lists ids and parameters.";

export function orchestrationPage(): string {
  return page(
    "Orchestration files",
    "Every field of an orchestration file. Whatever is not listed here is refused with its path. [The guide](../guide/orchestration-file.md) says how fields are inherited.",
    section("File", OrchestrationFile, "", { isFlat: true }),
    section("`runtime`", RuntimeFields, "The run as a whole."),
    section("`defaults` and each of `requests`", RequestFields, "`defaults` has the same fields but `name`.", {
      isFlat: true,
    }),
    `## \`benchmark\`, \`harness\`\n\n${COMPONENTS}`,
    ...environment(),
    section("`model`", ModelFields),
    section("`execution`", ExecutionFields),
    section("`runtime` of a request", RequestRuntimeFields),
    section("`output`", OutputFields),
  );
}

function environment(): string[] {
  const lead = `${COMPONENTS} Every environment also takes the fields below; what an environment cannot enforce is refused.`;
  return [
    section("`environment`", EnvironmentFields, lead, { isFlat: true }),
    section("`setup`, `evaluation_setup`", SetupFields, "", { level: 3 }),
    section("`resources`, `run_resources`, `evaluation_resources`", ResourceFields, "", { level: 3 }),
    section("Network policies", PolicyFields, "", { level: 3 }),
  ];
}

export function configPage(): string {
  const files = table(
    ["Layer", "File"],
    [
      ["1", "`$XDG_CONFIG_HOME/agentcompass/config.yaml`, else `~/.config/agentcompass/config.yaml`; may be absent"],
      ["2", "`config.yaml` in the working directory or the nearest ancestor that has one; may be absent"],
      ["3", "each `--config` or `configPath` in order; must exist"],
    ],
  );
  const sections = table(
    ["Section", "Holds"],
    [
      ["`runtime`", "the fields below, and the requests' `reuse` and `checkpoint_resume`"],
      ["`execution`", "the fields below, and `task_concurrency`"],
      ["`benchmarks.<id>`", "parameters of that benchmark, flat"],
      ["`harnesses.<id>`", "parameters of that harness, flat"],
      ["`environments.<id>`", "parameters and shared fields of that environment, flat"],
      ["`prices.<model id>`", "what that model costs; ids may be beginnings with `*` at the end"],
      [
        "`components`",
        "list of files with [components of your own](../guide/own-components.md), relative to this file",
      ],
    ],
  );
  return page(
    "Configuration files",
    "YAML or JSON. Later layers win; mappings merge deeply, lists and single values replace. Orchestration files and options win over all of them. Models are not configured here.",
    files,
    `## Sections\n\n${sections}`,
    "Unknown sections and unknown keys of `runtime` are ignored with a warning; unknown keys of `execution` and a `params` key in a component are refused. A value that is wholly `${NAME}` is replaced by that environment variable.",
    section("`runtime`", RuntimeFields),
    section("`execution`", ExecutionFields),
    section(
      "`prices.<model id>`",
      PriceFields,
      "Null takes a price away. [Models](../guide/models.md) says what is done with it.",
    ),
    `## Components\n\nThe parameters of each stand in [components](components.md), the fields that every environment takes in [orchestration files](orchestration.md).`,
  );
}

type SectionOptions = { readonly isFlat?: boolean; readonly level?: number };

function section(
  title: string,
  schema: z.ZodType,
  lead = "",
  { isFlat = false, level = 2 }: SectionOptions = {},
): string {
  const rows = fieldRows(schema, { isFlat }).map(([field = "", type = "", _default, meaning = ""]) => [
    field,
    type,
    meaning.replaceAll(/\$\{[^}]*\}/g, code),
  ]);
  return [`${"#".repeat(level)} ${title}`, ...(lead ? [lead] : []), table(HEADER, rows)].join("\n\n");
}
