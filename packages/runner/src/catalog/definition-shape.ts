import { AgentCompassError, errorText } from "@agentcompass/core";
import { OWN_COMPONENT_KINDS, type OwnComponentKind, type OwnDefinition } from "@agentcompass/core/plugin";
import { z } from "zod";

const func = z.custom((value) => typeof value === "function", "must be a function");
const id = z
  .string("must be a text")
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, "must be letters, digits, '_', '-' and '.', beginning with a letter or digit");
const description = z.string("must be one line of text").min(1, "must say in one line what it is");
const texts = z.array(z.string());

const params = z.custom(
  (value) => isRecord(value) && "_zod" in value && isRecord(value["shape"]) && typeof value["safeParse"] === "function",
  "must be an object schema of zod 4, such as z.strictObject({ ... })",
);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const metric = z.strictObject({
  id: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, "must be a letter, then letters, digits, '_', '-' and '.'"),
  kind: z.enum(["binary_success", "scalar"]),
  primary: z.boolean(),
  label: z.string().optional(),
});

const described = { id, description, params: params.optional() };

const SHAPES: Readonly<Record<OwnComponentKind, z.ZodObject>> = {
  benchmark: z.strictObject({
    ...described,
    metrics: z
      .array(metric)
      .refine((list) => list.filter((one) => one.primary).length === 1, "must have exactly one primary metric")
      .optional(),
    answer: z.enum(["text", "workspace"]).optional(),
    evaluationEnvironmentMode: z.enum(["none", "reuse"]).optional(),
    parallelAttemptsSafe: z.boolean().optional(),
    evaluationTimeoutMetrics: z.record(z.string(), z.union([z.boolean(), z.number()])).optional(),
    doLoad: func,
    doPrepare: func,
    doSolve: func.optional(),
    doEvaluate: func,
  }),
  harness: z.strictObject({
    ...described,
    delivers: z.array(z.enum(["text", "workspace"])).min(1),
    needsModel: z.boolean(),
    runsCommands: z.boolean(),
    protocols: texts.optional(),
    environments: texts.optional(),
    parallelAttemptsSafe: z.boolean().optional(),
    defaultRunTimeoutSeconds: z.number().positive().nullable().optional(),
    doRun: func,
    doCollect: func.optional(),
  }),
  environment: z.strictObject({
    ...described,
    networkModes: z.array(z.enum(["public", "no-network", "allowlist", "denylist"])).min(1),
    ownsFilesystem: z.boolean(),
    exposure: z.string().optional(),
    resourceFields: z
      .array(z.enum(["cpu", "memory_mb", "storage_mb", "gpu", "gpu_type", "ignore_gpu_type"]))
      .optional(),
    setupFields: z.array(z.enum(["image", "build_timeout_seconds", "workdir", "os"])).optional(),
    doOpen: func,
  }),
  scorer: z.strictObject({ id, description, isCorrect: func, refuse: func.optional(), reference: func.optional() }),
  recipe: z.strictObject({ id, description, matches: func, apply: func }),
};

export type Source = {
  /** Who named the file, and the file: the beginning of every error. */
  readonly where: string;
  /** What an entry without `kind` is; a folder of recipes says so. */
  readonly onlyKind?: OwnComponentKind;
};

/**
 * The definitions that a file exports by default, one or a list. Throws AgentCompassError `component.invalid` with the kind, the
 * id and the field that is wrong.
 */
export function readDefinitions(exported: unknown, source: Source): readonly OwnDefinition[] {
  if (!Array.isArray(exported)) return [readDefinition(exported, source, "the default export")];
  if (exported.length === 0) throw invalid(source, "the default export is an empty list");
  return exported.map((entry, index) => readDefinition(entry, source, `the default export [${index}]`));
}

/** An export may be an object whose fields throw when they are read. */
function readDefinition(value: unknown, source: Source, place: string): OwnDefinition {
  try {
    return checkDefinition(value, source, place);
  } catch (error) {
    throw AgentCompassError.isInstance(error) ? error : invalid(source, `${place} cannot be read: ${errorText(error)}`);
  }
}

function checkDefinition(value: unknown, source: Source, place: string): OwnDefinition {
  const made = "make it with defineBenchmark, defineHarness, defineEnvironment, defineScorer or defineRecipe";
  if (!isRecord(value) || Array.isArray(value))
    throw invalid(source, `${place} is no component, found ${kindOf(value)}; ${made}`);
  if (value instanceof Promise) throw invalid(source, `${place} is a promise; write \`export default await ...\``);
  const { kind = source.onlyKind, ...fields } = value;
  const known = OWN_COMPONENT_KINDS.find((one) => one === kind);
  if (known === undefined)
    throw invalid(
      source,
      `${place}: kind must be one of ${OWN_COMPONENT_KINDS.join(", ")}, found ${shown(kind)}; ${made}`,
    );
  if (source.onlyKind !== undefined && known !== source.onlyKind)
    throw invalid(
      source,
      `${place} is a ${known}; a folder of recipes holds recipes alone, name the file in components`,
    );
  const parsed = SHAPES[known].safeParse(fields);
  if (parsed.success) return { kind: known, ...fields } as OwnDefinition;
  throw invalid(source, `${known} ${shown(fields["id"])}: ${problemOf(parsed.error.issues[0], fields, SHAPES[known])}`);
}

function problemOf(issue: z.core.$ZodIssue | undefined, fields: unknown, shape: z.ZodObject): string {
  if (issue === undefined) return "is not valid";
  const known = Object.keys(shape.shape).join(", ");
  if (issue.code === "unrecognized_keys")
    return `unknown field ${issue.keys.map((key) => `'${key}'`).join(", ")} (known: ${known})`;
  let value: unknown = fields;
  for (const key of issue.path) value = isRecord(value) ? value[key as string] : undefined;
  const found = value === undefined ? "it is missing" : `found ${shown(value)}`;
  return `${issue.path.join(".")}: ${issue.message}; ${found}`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return `'${value}'`;
  const text = value === undefined ? "nothing" : typeof value === "function" ? "a function" : JSON.stringify(value);
  return (text ?? kindOf(value)).slice(0, 60);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function invalid({ where }: Source, message: string): AgentCompassError {
  return new AgentCompassError("component.invalid", `${where}: ${message}`);
}
