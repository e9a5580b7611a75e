import type { EnvironmentSession } from "@agentcompass/core/plugin";
import { NOT_A_COMMAND, NUL_IN_COMMAND, timedOut } from "./wording.ts";

export type CommandOutput = {
  /** Standard output and errors as they came, line ends as \n. */
  readonly output: string;
  /** Exit status; -1 when the command was not run or was stopped. */
  readonly returncode: number;
  /** Why there is no exit status; empty when there is one. */
  readonly exception_info: string;
  /** Bytes of the output that were not kept. */
  readonly dropped_bytes: number;
};

export type CommandAsk = {
  readonly session: EnvironmentSession;
  readonly command: unknown;
  readonly cwd: string;
  /** Undefined is no limit. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
};

/** Programs that would wait for a reader or redraw a line behave as in a file. */
const VARIABLES = { PAGER: "cat", MANPAGER: "cat", LESS: "-R", PIP_PROGRESS_BAR: "off", TQDM_DISABLE: "1" };
/** A submission may be a large patch; the model sees far less of any output. */
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs one command of the model; whatever it does is data. Throws only for an abort and for an environment that is gone. */
export async function runModelCommand(ask: CommandAsk): Promise<CommandOutput> {
  const { session, command, cwd, signal } = ask;
  if (typeof command !== "string") return notRun(NOT_A_COMMAND);
  if (command.includes("\0")) return notRun(NUL_IN_COMMAND);
  const timeoutMs = ask.timeoutMs === undefined ? undefined : Math.min(Math.max(1, ask.timeoutMs), LONGEST_TIMER_MS);
  const result = await session.exec({
    // One stream, so that errors stand between the lines where they happened.
    command: `exec 2>&1; ${command}`,
    cwd,
    env: VARIABLES,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const output = { output: unixLines(result.stdout + result.stderr), dropped_bytes: result.dropped_bytes };
  if (!result.timed_out) return { ...output, returncode: result.returncode, exception_info: "" };
  return { ...output, returncode: -1, exception_info: timedOut((timeoutMs ?? 0) / 1000) };
}

function notRun(reason: string): CommandOutput {
  return { output: "", returncode: -1, exception_info: reason, dropped_bytes: 0 };
}

function unixLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
