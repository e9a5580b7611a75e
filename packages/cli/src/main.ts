import { CommanderError } from "commander";
import { exitCodeOf, reportError } from "./failure.ts";
import type { Host } from "./host.ts";
import { flush, ignoreBrokenPipe, processHost } from "./process-host.ts";
import { safeTitle } from "./process-title.ts";
import { createProgram } from "./program.ts";
import { watchForSuddenEnd } from "./sudden-end.ts";

/**
 * Runs one command and returns its exit code: 0 every request completed; 1 a request that was started did not
 * complete; 2 refused before anything was written; 130 and 143 for SIGINT and SIGTERM.
 */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  const state = { exitCode: 0 };
  const program = createProgram(host, (code) => {
    state.exitCode = code;
  });
  try {
    if (asksForHelp(argv)) (await import("./option/describe.ts")).describeOptions(program);
    await program.parseAsync([...argv], { from: "user" });
    return state.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    reportError(error, host);
    return exitCodeOf(error);
  }
}

/** The help of `run` and `launch` describes options with schema fields, which nothing else needs to load. */
function asksForHelp([name, ...rest]: readonly string[]): boolean {
  return (name === "run" || name === "launch") && rest.some((argument) => argument === "-h" || argument === "--help");
}

/** The command of a real process: exits when everything is written, whatever is still open. */
export async function runProcess(process: NodeJS.Process): Promise<void> {
  const title = safeTitle(process.argv);
  if (title !== undefined) process.title = title;
  ignoreBrokenPipe(process.stdout);
  ignoreBrokenPipe(process.stderr);
  const host = processHost(process);
  const hasEnded = watchForSuddenEnd(process, host);
  const code = await main(process.argv.slice(2), host);
  hasEnded();
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  process.exit(code);
}
