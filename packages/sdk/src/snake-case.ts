/** Sections whose keys are the user's own (parameters, variables, provider names) and stay as they are. */
const FREE_SECTIONS = new Set([
  "params",
  "analysis_params",
  "provider_limits",
  "env_open_qps",
  "env_variables",
  "run_env_variables",
  "evaluation_env_variables",
  "evaluation_environment_env_variables",
]);

/** Sections that mix known fields with a component's parameters: only the known fields are renamed. */
const COMPONENT_SECTIONS = new Set(["benchmark", "harness"]);

/** An orchestration object in the file's own spelling; camelCase fields become snake_case, parameters keep their names. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = snake(key);
      const keep = FREE_SECTIONS.has(name) || COMPONENT_SECTIONS.has(name);
      return [name, keep ? item : toSnakeCase(item)];
    }),
  );
}

function snake(key: string): string {
  return key.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
