import type { z } from "zod";

/** What a team's own function returned, when it has the form that it must; else an error that names function and field. */
export function checkReturned<T>(schema: z.ZodType, value: T, what: string): T {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) return value;
  const field = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  throw new TypeError(`${what} returned what it may not: ${field}${issue.message}`);
}
