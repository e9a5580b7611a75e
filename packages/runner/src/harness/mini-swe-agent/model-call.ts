import { runStage } from "@agentcompass/core/attempt";
import { type ModelAnswer, ModelFailure, type RunAsk } from "@agentcompass/core/plugin";
import { mayPass } from "../model-retry.ts";

const MOST_CALLS = 10;
const SHORTEST_WAIT_MS = 4000;
const LONGEST_WAIT_MS = 60_000;
const LONGEST_RETRY_AFTER_MS = 600_000;
/** An aborted call ends at once; this is for one that does not notice. */
const GRACE_MS = 200;

/**
 * Calls until there is an answer: up to ten times while the failure may pass, with 4, 4, 4, 8, 16, 32 and then 60 s between, or
 * what Retry-After asks for. Throws StageTimeout at `stopAt`, else the last ModelFailure.
 */
export function callUntil(
  ask: Pick<RunAsk, "clock" | "signal" | "log">,
  stopAt: number | undefined,
  call: (signal: AbortSignal) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { clock } = ask;
  const seconds = stopAt === undefined ? null : Math.max(0, stopAt - clock.now()) / 1000;
  const limit = { what: "the model call", seconds, source: "what is left of the run", graceMs: GRACE_MS };
  return runStage(limit, clock, ask.signal, (signal) => callWithRetries({ ...ask, signal }, () => call(signal)));
}

async function callWithRetries(
  ask: Pick<RunAsk, "clock" | "signal" | "log">,
  call: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  for (let count = 1; ; count += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelFailure) || !mayPass(error) || count >= MOST_CALLS) throw error;
      const wait = error.retryAfterMs ?? waitAfter(count);
      if (wait > LONGEST_RETRY_AFTER_MS) throw error;
      const message = `call ${count} of ${MOST_CALLS} failed, the next in ${wait / 1000} s: ${error.message}`;
      ask.log({ level: "WARNING", source: "mini_swe_agent", message });
      await ask.clock.sleep(wait, ask.signal);
    }
  }
}

export function waitAfter(count: number): number {
  return Math.min(Math.max(SHORTEST_WAIT_MS, 1000 * 2 ** (count - 1)), LONGEST_WAIT_MS);
}
