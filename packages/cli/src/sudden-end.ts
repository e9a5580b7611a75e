import { reportError } from "./failure.ts";
import type { Host } from "./host.ts";

/** Codes of a process that was ended by a person, who knows why. */
const ASKED_FOR = [130, 143];

type EventfulProcess = Pick<NodeJS.Process, "on" | "off" | "exitCode">;

/**
 * Until the returned function is called: a process that ends although its command has not says so in one line and is no success.
 * Component files run in it and may call `process.exit`, wait for what never comes, or throw where nobody listens.
 */
export function watchForSuddenEnd(
  process: EventfulProcess,
  host: Pick<Host, "stderr" | "env" | "exitNow">,
): () => void {
  let isTold = false;
  const onExit = (code: number): void => {
    if (isTold || ASKED_FOR.includes(code)) return;
    host.stderr.write(
      `Error: the process ended with code ${code} before its command had: a component called process.exit, or waits for what never comes; what is finished is kept, --reuse takes it over\n`,
    );
    process.exitCode = code === 0 ? 1 : code;
  };
  const onUncaught = (error: unknown): void => {
    isTold = true;
    reportError(error, host);
    host.exitNow(1);
  };
  process.on("exit", onExit);
  process.on("uncaughtException", onUncaught);
  return () => {
    process.off("exit", onExit);
    process.off("uncaughtException", onUncaught);
  };
}
