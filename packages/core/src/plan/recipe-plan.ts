import { z } from "zod";
import { AgentCompassError } from "../error.ts";
import { isPlainObject } from "../record/json.ts";
import { EnvironmentFields, ResourceFields, SetupFields } from "../spec/environment-fields.ts";
import { withoutNulls } from "../spec/merge.ts";
import { networkPolicy } from "../spec/network-policy.ts";
import { joinPath, shown } from "../spec/validate.ts";
import type { ExecutionPlan } from "./execution-plan.ts";

const timeout = z.number({ error: "must be seconds above 0, or null for none" }).finite().positive().nullable();

const policy = z.strictObject({
  network_mode: z.enum(["public", "no-network", "allowlist", "denylist"]),
  allowed_hosts: z.array(z.string()),
  denied_hosts: z.array(z.string()),
});

/** What a recipe may set, by the names of a plan. */
const SETTABLE = {
  run_timeout_seconds: timeout,
  evaluation_timeout_seconds: timeout,
  run_timer_compensation_seconds: z.number().finite().nonnegative(),
  run_network_policy: policy,
  evaluation_network_policy: policy,
  env_variables: EnvironmentFields.shape.env_variables,
} as const;

const SETTABLE_OF_ENVIRONMENT = {
  setup: SetupFields,
  resources: ResourceFields,
  baseline_network_policy: policy,
} as const;

/**
 * The plan that a recipe returned, when it is one that may be: every field is there, those that a recipe sets are valid, and the
 * others are as they were. Throws `component.invalid` with the recipe's id and the field.
 */
export function checkRecipePlan(recipe: string, before: ExecutionPlan, returned: unknown): ExecutionPlan {
  if (!isPlainObject(returned)) throw wrong(recipe, "apply", `must return a plan, found ${shownKind(returned)}`);
  const { environment: environmentBefore, applied_recipes: _applied, ...rest } = before;
  const { environment, applied_recipes: _returned, ...own } = returned;
  if (!isPlainObject(environment))
    throw wrong(recipe, "plan.environment", `must be a mapping, found ${shown(environment)}`);
  const fields = checkFields({ recipe, path: "plan", settable: SETTABLE }, rest, own);
  const ofEnvironment = checkFields(
    { recipe, path: "plan.environment", settable: SETTABLE_OF_ENVIRONMENT },
    environmentBefore,
    environment,
  );
  return { ...before, ...fields, environment: { ...environmentBefore, ...ofEnvironment } };
}

type Part = { readonly recipe: string; readonly path: string; readonly settable: Readonly<Record<string, z.ZodType>> };

function checkFields(
  part: Part,
  before: Readonly<Record<string, unknown>>,
  returned: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = [...new Set([...Object.keys(before), ...Object.keys(part.settable)])];
  for (const name of Object.keys(returned)) if (!known.includes(name)) throw unknown(part, name);
  for (const name of Object.keys(before))
    if (!(name in returned))
      throw wrong(part.recipe, `${part.path}.${name}`, "is missing; begin from the plan that apply is given");
  return Object.fromEntries(
    Object.entries(returned).map(([name, value]) => [name, checkField(part, name, before[name], value)]),
  );
}

function checkField(part: Part, name: string, before: unknown, value: unknown): unknown {
  const path = `${part.path}.${name}`;
  if (jsonOf(before) === jsonOf(value)) return before;
  const schema = part.settable[name];
  if (!schema)
    throw wrong(part.recipe, path, `a recipe cannot change it; it may set ${Object.keys(part.settable).join(", ")}`);
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = joinPath(path, issue?.path ?? []);
    throw wrong(part.recipe, place, `${issue?.message ?? "is not valid"}; found ${shown(value)}`);
  }
  if (name.endsWith("network_policy")) return checkedPolicy(part.recipe, path, parsed.data);
  return isPlainObject(parsed.data) ? withoutNulls(parsed.data) : parsed.data;
}

/** Numbers that JSON has not differ from null, as which it writes them. */
function jsonOf(value: unknown): string | undefined {
  const odd = (_key: string, item: unknown): unknown =>
    typeof item === "number" && !Number.isFinite(item) ? String(item) : item;
  return JSON.stringify(value, odd);
}

function checkedPolicy(recipe: string, path: string, value: unknown): unknown {
  try {
    return networkPolicy(isPlainObject(value) ? value : {}, { path });
  } catch (error) {
    throw AgentCompassError.isInstance(error)
      ? new AgentCompassError("component.invalid", `recipe '${recipe}': ${error.message}`, { cause: error })
      : error;
  }
}

function unknown(part: Part, name: string): AgentCompassError {
  const advice = /timeout|harness/.test(name)
    ? "a recipe never sets a harness's own fields; the time of a run is plan.run_timeout_seconds"
    : `a recipe may set ${Object.keys(part.settable).join(", ")}`;
  return wrong(part.recipe, `${part.path}.${name}`, `a plan has no such field; ${advice}`);
}

function shownKind(value: unknown): string {
  return value instanceof Promise ? "a promise; a recipe is synchronous" : shown(value);
}

function wrong(recipe: string, path: string, message: string): AgentCompassError {
  return new AgentCompassError("component.invalid", `recipe '${recipe}': ${path}: ${message}`, {
    data: { recipe, path },
  });
}
