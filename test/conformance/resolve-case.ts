import { AgentCompassError } from "@agentcompass/core";
import type { Catalog } from "@agentcompass/core/plugin";
import { dryRunPayload, parseYaml, resolveOrchestration } from "@agentcompass/core/spec";
import { fakeIds } from "@agentcompass/core/testing";
import { builtinCatalog } from "@agentcompass/runner/catalog";

/** One case of orchestrations.json; README.md beside it says what each field means. */
export type ResolveCase = {
  readonly group: string;
  readonly name: string;
  readonly orchestration: string;
  readonly config?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: { readonly task_concurrency?: number; readonly runtime?: Readonly<Record<string, unknown>> };
  readonly expect:
    | { readonly ok: true; readonly resolved: Readonly<Record<string, unknown>> }
    | { readonly ok: false; readonly exit_code: number; readonly names: readonly string[] };
};

const catalog: Catalog = builtinCatalog();

/** Differences between our answer and AgentCompass's; empty when they agree. */
export function runResolveCase(given: ResolveCase): string[] {
  try {
    const payload = resolve(given);
    if (!given.expect.ok) return ["accepted, but AgentCompass refuses it"];
    return compare(given.expect.resolved, payload, "");
  } catch (error) {
    if (!AgentCompassError.isInstance(error)) return [`threw ${String(error)}`];
    if (given.expect.ok) return [`refused: ${error.message}`];
    return refusalDifferences(error, given.expect);
  }
}

function resolve(given: ResolveCase): object {
  const configLayers = (given.config ?? []).map((text, index) => {
    const path = `layer${index}.yaml`;
    return { path, ...parseYaml(text, path, "config.invalid") };
  });
  const orchestration = resolveOrchestration({
    file: { name: "orchestration.yaml", text: given.orchestration },
    configLayers,
    env: given.env ?? {},
    overrides: given.overrides ?? {},
    catalog,
    ids: fakeIds(),
  });
  return dryRunPayload(orchestration);
}

function refusalDifferences(
  error: AgentCompassError,
  expected: { readonly exit_code: number; readonly names: readonly string[] },
): string[] {
  const differences = expected.names
    .filter((name) => !error.message.includes(name))
    .map((name) => `the error does not name '${name}': ${error.message}`);
  if (error.exitCode !== expected.exit_code) differences.push(`exit code ${error.exitCode}, not ${expected.exit_code}`);
  if (error.message.includes("\n")) differences.push("the error has several lines");
  return differences;
}

/** Fields beyond the expected ones are ours and fine; provider tables are compared where the case names them. */
function compare(expected: unknown, actual: unknown, path: string): string[] {
  if (isMapping(expected) && isMapping(actual))
    return Object.entries(expected)
      .flatMap(([key, value]) => compare(value, actual[key], `${path}.${key}`))
      .concat(extraParams(expected, actual, path));
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((item, index) => compare(item, actual[index], `${path}[${index}]`));
  return Object.is(expected, actual)
    ? []
    : [`${path}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`];
}

/** Below these a key of ours that AgentCompass has not is a difference: it would reach a component. */
const EXACT = /\.(?:params|setup|evaluation_setup|resources|env_variables)$/;

function extraParams(expected: Mapping, actual: Mapping, path: string): string[] {
  if (!EXACT.test(path)) return [];
  return Object.keys(actual)
    .filter((key) => !(key in expected))
    .map((key) => `${path}.${key}: not expected, found ${JSON.stringify(actual[key])}`);
}

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
