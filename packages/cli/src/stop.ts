import { AgentCompassError } from "@agentcompass/core";
import type { Host, StopSignal } from "./host.ts";
import type { Reporter } from "./progress/reporter.ts";

export type StopListener = {
  readonly signal: AbortSignal;
  /** Aborted by the second SIGINT. */
  readonly endNow: AbortSignal;
  readonly received: () => StopSignal | undefined;
  readonly close: () => void;
};

/**
 * The first SIGINT or SIGTERM ends the run within its grace; a SIGINT after it gives the grace up, so that only the status is
 * still written; one more ends the process whatever it does.
 */
export function listenForStop(host: Host, reporter: Pick<Reporter, "end" | "say">): StopListener {
  const controller = new AbortController();
  const endNow = new AbortController();
  let first: StopSignal | undefined;
  const close = host.onStopSignal((signal) => {
    if (first === undefined) {
      first = signal;
      reporter.say(`${signal}: ending the run and cleaning up; Ctrl-C again ends at once`);
      controller.abort(new AgentCompassError("run.cancelled", `ended by ${signal}`));
      return;
    }
    if (signal !== "SIGINT") return;
    if (!endNow.signal.aborted) {
      endNow.abort();
      return;
    }
    reporter.end();
    host.exitNow(130);
  });
  return { signal: controller.signal, endNow: endNow.signal, received: () => first, close };
}
