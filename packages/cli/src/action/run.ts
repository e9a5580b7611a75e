import type { Command } from "commander";
import { usageError } from "../failure.ts";
import { asRunOptions, givenOptions, reuseOptions } from "../option/given.ts";
import type { ActionContext } from "./context.ts";

const ROLES = ["benchmark", "harness", "model"] as const;

/** `run BENCHMARK HARNESS MODEL`: one request named "run". */
export async function runAction(command: Command, context: ActionContext): Promise<void> {
  const values = command.opts<Record<string, unknown>>();
  const options = asRunOptions({
    ...givenOptions(values),
    ...whatToRun(command.args, values),
    ...reuseOptions(values["reuse"]),
    ...(values["checkpointResume"] === false && { checkpointResume: false }),
  });
  const { execute } = await import("../execute.ts");
  const code = await execute(context.host, {
    json: values["json"] === true,
    jsonOf: (result) => result.requests["run"]?.result ?? null,
    start: (sdk, callbacks) => sdk.runOutcome({ ...options, ...callbacks }),
  });
  context.setExitCode(code);
}

/** Positional arguments fill, in order, the roles that no option names. */
function whatToRun(
  positional: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Record<(typeof ROLES)[number], string> {
  const rest = [...positional];
  const chosen = { benchmark: "", harness: "", model: "" };
  const missing: string[] = [];
  for (const role of ROLES) {
    const value = values[role] ?? rest.shift();
    if (typeof value === "string") chosen[role] = value;
    else missing.push(role.toUpperCase());
  }
  if (missing.length > 0)
    throw usageError(
      `run needs BENCHMARK HARNESS MODEL, missing: ${missing.join(", ")}; for example \`agentcompass run starter oracle none\``,
    );
  if (rest.length > 0) throw usageError(`run has an argument too many: ${rest.join(" ")}`);
  return chosen;
}
