import { AgentCompassError, errorText } from "@agentcompass/core";
import { CommanderError } from "commander";
import type { Host } from "./host.ts";
import { oneLine } from "./output/width.ts";

/** A usage error: refused before anything is read or written. */
export function usageError(message: string): AgentCompassError {
  return new AgentCompassError("usage.invalid", message);
}

/** The exit code of anything that a command throws. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return 2;
  return AgentCompassError.isInstance(error) ? error.exitCode : 1;
}

/** One line on stderr; the stack only when AGENTCOMPASS_DEBUG=1 asks for it. */
export function reportError(error: unknown, host: Pick<Host, "stderr" | "env">): void {
  host.stderr.write(`Error: ${errorLine(error)}\n`);
  if (host.env["AGENTCOMPASS_DEBUG"] === "1" && error instanceof Error && error.stack)
    host.stderr.write(`${error.stack}\n`);
}

function errorLine(error: unknown): string {
  if (error instanceof CommanderError) return oneLine(error.message.replace(/^error: /, ""));
  if (AgentCompassError.isInstance(error)) return oneLine(error.message);
  return `internal: ${oneLine(errorText(error))}; set AGENTCOMPASS_DEBUG=1 to see where`;
}
