import { AgentCompassError } from "@agentcompass/core";
import type { Host, StopSignal } from "./host.ts";
import type { Reporter } from "./progress/reporter.ts";

export type StopListener = {
  readonly signal: AbortSignal;
  readonly received: () => StopSignal | undefined;
  readonly close: () => void;
};

/** The first SIGINT or SIGTERM ends the run within its grace; a second SIGINT ends the process at once. */
export function listenForStop(host: Host, reporter: Pick<Reporter, "end" | "say">): StopListener {
  const controller = new AbortController();
  let first: StopSignal | undefined;
  const close = host.onStopSignal((signal) => {
    if (first === undefined) {
      first = signal;
      reporter.say(`${signal}: ending the run and cleaning up; Ctrl-C again ends at once`);
      controller.abort(new AgentCompassError("run.cancelled", `ended by ${signal}`));
      return;
    }
    if (signal !== "SIGINT") return;
    reporter.end();
    host.exitNow(130);
  });
  return { signal: controller.signal, received: () => first, close };
}
