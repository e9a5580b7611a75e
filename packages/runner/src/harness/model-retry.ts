import { type ModelAnswer, ModelFailure, type RunAsk } from "@agentcompass/core/plugin";

const FIRST_WAIT_MS = 4000;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 600_000;
const PASSING_STATUSES = new Set([408, 409, 429]);

/**
 * True for a failure that another call may not meet: no connection, no answer in time, a busy or failing server. Too long a
 * conversation and a refused parameter stay what they are, whatever status says so.
 */
export function mayPass(failure: ModelFailure): boolean {
  if (failure.code === "model_context_overflow" || failure.code === "model_parameter_unsupported") return false;
  if (failure.reason === "connection" || failure.reason === "timeout") return true;
  const { status } = failure;
  return failure.reason === "status" && status !== null && (PASSING_STATUSES.has(status) || status >= 500);
}

/**
 * Calls up to `attempts` times while the failure may pass, waiting 4, 8, 16, then 30 s, or what Retry-After asks for.
 * Throws the last ModelFailure; at once when the wait would outlast the run's deadline or ten minutes.
 */
export async function callWithRetries(
  ask: Pick<RunAsk, "clock" | "signal" | "deadlineAt" | "log">,
  attempts: number,
  call: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelFailure) || !mayPass(error) || attempt >= attempts) throw error;
      const wait = error.retryAfterMs ?? Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
      const isTooLate = ask.deadlineAt !== undefined && ask.clock.now() + wait >= ask.deadlineAt;
      if (isTooLate || wait > LONGEST_RETRY_AFTER_MS) throw error;
      const message = `call ${attempt} of ${attempts} failed, the next in ${wait / 1000} s: ${error.message}`;
      ask.log({ level: "WARNING", source: "openai_chat", message });
      await ask.clock.sleep(wait, ask.signal);
    }
  }
}
