import { exitCodeOf } from "./failure.ts";
import type { Host, StopSignal } from "./host.ts";
import { printResult } from "./output/result.ts";
import { oneLine } from "./output/width.ts";
import { startReporter } from "./progress/reporter.ts";
import type { OrchestrationResult, RunCallbacks, Sdk } from "./sdk-surface.ts";
import { listenForStop } from "./stop.ts";

export type Execution = {
  readonly json: boolean;
  /** The object that `--json` prints; null prints nothing. */
  readonly jsonOf: (result: OrchestrationResult) => object | null;
  readonly start: (sdk: Sdk, callbacks: RunCallbacks) => Promise<OrchestrationResult>;
};

const SIGNAL_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Runs requests with progress, logs and signals, prints the result and returns the exit code. */
export async function execute(host: Host, execution: Execution): Promise<number> {
  const sdk = await host.sdk();
  const reporter = startReporter(host);
  const stop = listenForStop(host, reporter);
  try {
    const result = await execution.start(sdk, {
      onResolved: reporter.onResolved,
      onProgress: reporter.onProgress,
      onLog: reporter.onLog,
      signal: stop.signal,
      endNow: stop.endNow,
    });
    reporter.end();
    printResult(host, {
      result,
      elapsed: reporter.elapsedSeconds,
      json: execution.json,
      value: execution.jsonOf(result),
    });
    reportFailures(host, result);
    return codeOf(result, stop.received());
  } catch (error) {
    reporter.end();
    return codeAfterStop(host, error, stop.received());
  } finally {
    stop.close();
  }
}

function codeAfterStop(host: Host, error: unknown, received: StopSignal | undefined): number {
  if (received === undefined) throw error;
  host.stderr.write(`Error: ended by ${received}\n`);
  return exitCodeOf(error) === 2 ? 2 : SIGNAL_CODES[received];
}

function codeOf(result: OrchestrationResult, received: StopSignal | undefined): number {
  if (result.status === "completed") return 0;
  return received === undefined ? 1 : SIGNAL_CODES[received];
}

function reportFailures(host: Host, result: OrchestrationResult): void {
  const requests = Object.values(result.requests);
  for (const request of requests) {
    if (request.status === "completed") continue;
    const name = requests.length > 1 ? `${request.name}: ` : "";
    host.stderr.write(`Error: ${name}${oneLine(request.error || request.status)}\n`);
  }
}
