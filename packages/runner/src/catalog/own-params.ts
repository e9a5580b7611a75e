import type { ParamsSchema } from "@agentcompass/core/plugin";
import { z } from "zod";

/**
 * The parameters of a team's own component: those of its schema, and the ones that every component of its kind takes. The
 * file's own copy of zod parses them; a field that the schema does not name is refused, strict or not.
 */
export function ownParams(schema: ParamsSchema | undefined, shared: z.ZodRawShape): z.ZodObject {
  const own = (schema ?? z.strictObject({})) as z.ZodObject;
  const missing = Object.fromEntries(Object.entries(shared).filter(([name]) => !(name in own.shape)));
  const extended = typeof own.safeExtend === "function" ? own.safeExtend(missing) : own.extend(missing);
  return extended.strict();
}
