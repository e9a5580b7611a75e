import { AgentCompassError } from "../error.ts";
import type { ComponentDescriptor } from "../plugin/index.ts";
import { nearest } from "../spec/index.ts";
import type { Params } from "../spec/resolved.ts";
import { shown, valueAt } from "../spec/validate.ts";

/** Parses a component's own parameters; the error names kind, id, field, what was found and what is allowed. */
export function parseParams(descriptor: ComponentDescriptor<unknown>, params: Params): Params {
  const parsed = descriptor.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(descriptor, issue.keys);
    const path = [descriptor.kind, ...issue.path].join(".");
    return `${path}: ${issue.message} (found ${shown(valueAt(params, issue.path))})`;
  });
  throw new AgentCompassError("component.invalid", `${descriptor.kind} '${descriptor.id}': ${lines.join("; ")}`);
}

function unknownKeys(descriptor: ComponentDescriptor<unknown>, keys: readonly string[]): string {
  const known = Object.keys(descriptor.params.shape);
  const guess = nearest(keys[0] ?? "", known);
  const allowed = known.length === 0 ? "it takes no parameters" : `known: ${known.join(", ")}`;
  return `unknown parameter ${keys.map((key) => `'${key}'`).join(", ")}${guess ? `; did you mean '${guess}'?` : ""} (${allowed})`;
}
