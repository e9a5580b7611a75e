import type { RunEvaluationOptions } from "../sdk-surface.ts";

type Values = Readonly<Record<string, unknown>>;

/** Names that differ between the command line and the SDK; all others are the same in camelCase. */
const SDK_NAMES: Readonly<Record<string, string>> = {
  config: "configPath",
  env: "environment",
  envParams: "environmentParams",
  providerLimit: "providerLimits",
  component: "components",
  recipe: "enabledRecipes",
  recipeDir: "recipeDirs",
};

/** What only the command itself reads. */
const OWN = new Set(["json", "dryRun", "reuse", "checkpointResume"]);

/** The options given on the command line under the SDK's names; what was not given is absent. */
export function givenOptions(values: Values): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && !OWN.has(name)) given[SDK_NAMES[name] ?? name] = value;
  return given;
}

/** The values were checked one by one as they were parsed, so that together they are the SDK's options. */
export function asRunOptions(options: Values & { readonly benchmark: string }): RunEvaluationOptions {
  return options as unknown as RunEvaluationOptions;
}

/** `--reuse` without a value asks for the newest run, with one for that run. */
export function reuseOptions(value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  return typeof value === "string" && value !== "" ? { reuse: true, reuseRunId: value } : { reuse: value !== false };
}

/** The component files that a command names; those of the configuration are found without it. */
export function componentOptions(command: { opts(): Values }): { readonly components?: readonly string[] } {
  const files = command.opts()["component"];
  return Array.isArray(files) ? { components: files } : {};
}
