import { isPlainObject } from "../record/json.ts";
import type { Env } from "./reference.ts";

export const REDACTED = "********";

const SENSITIVE = new Set([
  "aksk",
  "token_id",
  "authorization",
  "cookie",
  "jwt",
  "password",
  "proxy_authorization",
  "set_cookie",
  "token",
]);
const SENSITIVE_ENDING = /_(?:key|secret|token|jwt|password)$/;
/** Every leaf below these is redacted. */
const CONTAINERS = new Set([
  "auth",
  "authentication",
  "credentials",
  "headers",
  "env",
  "env_variables",
  "run_env_variables",
  "evaluation_env_variables",
  "evaluation_environment_env_variables",
]);

/**
 * A copy without secrets, told by the names of their keys (reference 2.8). Null, empty texts and whole `${NAME}` references
 * stay; `wrap_api_key` is a switch, not a key.
 */
export function redact<T>(value: T): T {
  return redactValue(value, false) as T;
}

function redactValue(value: unknown, hidden: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => redactValue(item, hidden));
  if (!isPlainObject(value)) return hidden ? hide(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      redactValue(isAddress(key, item) ? redactAddress(item) : item, hidden || isSensitive(key)),
    ]),
  );
}

/** Every text that `redact` hides in a value, so that it can be taken out of other texts too. */
export function hiddenTexts(value: unknown, hidden = false): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => hiddenTexts(item, hidden));
  if (typeof value === "string") return hidden && hide(value) === REDACTED ? [value] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(isAddress(key, item) ? queryValues(item) : []),
    ...hiddenTexts(item, hidden || isSensitive(key)),
  ]);
}

/** The values of an address's query, any of which may be a key. */
export function queryValues(address: string): readonly string[] {
  return [...address.matchAll(/[?&][^=&#]+=([^&#]+)/g)].map((match) => match[1] ?? "");
}

function isSensitive(key: string): boolean {
  const name = snake(key);
  if (name === "wrap_api_key") return false;
  return SENSITIVE.has(name) || CONTAINERS.has(name) || SENSITIVE_ENDING.test(name);
}

function isAddress(key: string, value: unknown): value is string {
  return typeof value === "string" && (key === "url" || key.endsWith("_url")) && /[?@]/.test(value);
}

/** An address without its password and without the values of its query, any of which may be a key. */
export function redactAddress(address: string): string {
  return address
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${REDACTED}@`)
    .replaceAll(/([?&][^=&#]+=)[^&#]+/g, `$1${REDACTED}`);
}

function snake(key: string): string {
  return key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toLowerCase();
}

function hide(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return value;
  return typeof value === "string" && /^\s*\$\{[A-Za-z_][A-Za-z0-9_]*\}\s*$/.test(value) ? value : REDACTED;
}

const SECRET_NAME = /API_KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;
const LEAST_SECRET_LENGTH = 8;

const PATTERNS: readonly [RegExp, string][] = [
  [/\b(bearer)\s+[A-Za-z0-9._~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\b((?:api[_-]?key|access[_-]?token|token|secret|password)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi, `$1${REDACTED}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi, `$1${REDACTED}@`],
  [/\bsk-[A-Za-z0-9_-]{12,}/g, REDACTED],
];

/** A text for people without secrets: known values, values of secret environment variables, and forms that secrets have. */
export function redactText(
  text: string,
  known: { readonly secrets?: readonly string[]; readonly env?: Env } = {},
): string {
  let clean = text;
  for (const secret of secretValues(known)) clean = clean.replaceAll(secret, REDACTED);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replaceAll(pattern, replacement);
  return clean;
}

function secretValues(known: { readonly secrets?: readonly string[]; readonly env?: Env }): string[] {
  const fromEnv = Object.entries(known.env ?? {}).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) ? [value] : [],
  );
  return [...(known.secrets ?? []), ...fromEnv]
    .filter((value) => value.length >= LEAST_SECRET_LENGTH)
    .sort((left, right) => right.length - left.length);
}
