import { isPlainObject } from "../record/json.ts";
import { type Env, resolveReferences } from "./reference.ts";
import { kindOf, refuse, shown, type Where } from "./validate.ts";

/**
 * The component files that a configuration or an orchestration names in `components`, as they are written; `${NAME}` is replaced.
 * Nothing is told of other sections. Throws with the field's path.
 */
export function componentPaths(content: unknown, env: Env, where: Omit<Where, "path">): readonly string[] {
  const named = isPlainObject(content) ? content["components"] : undefined;
  if (named === undefined || named === null) return [];
  const at = { ...where, path: "components" };
  if (!Array.isArray(named)) throw refuse(at, `must be a list of files, found ${kindOf(named)}`);
  return named.map((entry, index) => {
    const path = resolveReferences(entry, env, { ...at, path: `components[${index}]` });
    if (typeof path === "string" && path.trim() !== "") return path;
    throw refuse({ ...at, path: `components[${index}]` }, `must be the path of a file, found ${shown(entry)}`);
  });
}
