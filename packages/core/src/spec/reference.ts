import { isPlainObject } from "../record/json.ts";
import { refuse, type Where } from "./validate.ts";
import { YamlTimestamp } from "./yaml-scalar.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Maps that keep their references until a task runs (reference 2.7). */
export const TASK_ENV_FIELDS: ReadonlySet<string> = new Set([
  "env_variables",
  "run_env_variables",
  "evaluation_env_variables",
  "evaluation_environment_env_variables",
  "env",
]);

const WHOLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;
const ANYWHERE = /\$\{[^}]*\}/;

/**
 * A copy with every whole-value `${NAME}` replaced from `env`; an undefined one becomes an empty text. A value that merely
 * contains one is refused with its path; a date becomes its text. Task environment maps below `environment` stay as they are.
 */
export function resolveReferences(value: unknown, env: Env, where: Where, insideEnvironment = false): unknown {
  if (typeof value === "string") return resolveText(value, env, where);
  if (value instanceof YamlTimestamp) return value.text;
  if (Array.isArray(value))
    return value.map((item, index) => resolveReferences(item, env, at(where, `[${index}]`), insideEnvironment));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (insideEnvironment && TASK_ENV_FIELDS.has(key)) return [key, item];
      const inside = insideEnvironment || key === "environment" || key === "environments";
      return [key, resolveReferences(item, env, at(where, where.path === "" ? key : `.${key}`), inside)];
    }),
  );
}

/** One line for each whole-value reference to a variable that is not set: it counts as empty, which may not be meant. */
export function undefinedReferences(value: unknown, env: Env, path = ""): string[] {
  if (typeof value === "string") {
    const name = WHOLE.exec(value.trim())?.[1];
    return name !== undefined && env[name] === undefined
      ? [`${path}: ${value.trim()} is not set and counts as empty`]
      : [];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => undefinedReferences(item, env, `${path}[${index}]`));
  if (!isPlainObject(value)) return [];
  return Object.entries(value)
    .filter(([key]) => !TASK_ENV_FIELDS.has(key))
    .flatMap(([key, item]) => undefinedReferences(item, env, path === "" ? key : `${path}.${key}`));
}

function at(where: Where, step: string): Where {
  return { ...where, path: `${where.path}${step}` };
}

function resolveText(text: string, env: Env, where: Where): string {
  const name = WHOLE.exec(text.trim())?.[1];
  if (name !== undefined) return env[name] ?? "";
  if (!ANYWHERE.test(text)) return text;
  throw refuse(
    where,
    "a reference to an environment variable must be the whole value, as in ${NAME}; put the rest into the variable",
  );
}

const PART = /\$\{([^}]*)\}/g;
const NAME_AND_DEFAULT = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const POSIX_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Where the variable of a name is written, as a path that a user finds again. */
export type PlaceOf = (name: string) => string;

/**
 * Task environment variables with `${NAME}` and `${NAME:-default}` replaced inside their texts. Throws `spec.invalid` naming
 * every variable that is missing or empty without a default with the places that need it, a name that is no POSIX identifier,
 * and a NUL.
 */
export function interpolateTaskEnv(
  map: Readonly<Record<string, string>>,
  env: Env,
  placeOf: PlaceOf = (name) => `environment variable ${name} of a task`,
): Record<string, string> {
  const missing = new Set<string>();
  const places = new Set<string>();
  const result: Record<string, string> = {};
  for (const [key, text] of Object.entries(map)) {
    const path = placeOf(key);
    if (!POSIX_NAME.test(key))
      throw refuse({ path }, `'${key}' is no name of an environment variable; use letters, digits and _`);
    if (text.includes("\0")) throw refuse({ path }, "holds a NUL, which no environment variable can");
    result[key] = text.replaceAll(PART, (whole, inner: string) => {
      const parts = NAME_AND_DEFAULT.exec(inner);
      if (!parts?.[1]) return whole;
      const value = env[parts[1]] || parts[2];
      if (value === undefined) {
        missing.add(parts[1]);
        places.add(path);
      }
      return value ?? "";
    });
  }
  const [first] = missing;
  if (first !== undefined)
    throw refuse(
      { path: [...places].join(", ") },
      `not set, and no default given: ${[...missing].sort().join(", ")}; set it where agentcompass is started, or write \${${first}:-a default}`,
    );
  return result;
}
