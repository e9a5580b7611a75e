/**
 * Which request may prepare, which task starts, which request is finished: pure decisions over counts (reference 3.7).
 *
 * Requests prepare strictly in order, one at a time, and only while fewer tasks wait than may run at once, so that a
 * hundred requests are not loaded before the first has ended. Tasks start in request order; requests overlap at the tail.
 */
export type RequestProgress = {
  readonly state: "waiting" | "preparing" | "prepared" | "finalizing" | "terminal";
  readonly pending: number;
  /** Tasks whose attempts run: what the concurrency limits. */
  readonly active: number;
  /** Tasks whose attempts are over and whose results are being written. */
  readonly writing: number;
};

export type Action =
  | { readonly kind: "prepare"; readonly index: number }
  | { readonly kind: "start"; readonly index: number }
  | { readonly kind: "finalize"; readonly index: number };

/** The next thing to do, or undefined when nothing can be done until something ends. */
export function nextAction(requests: readonly RequestProgress[], concurrency: number): Action | undefined {
  return nextFinalize(requests) ?? nextStart(requests, concurrency) ?? nextPrepare(requests, concurrency);
}

/** True when every request has reached its end. */
export function isFinished(requests: readonly RequestProgress[]): boolean {
  return requests.every((request) => request.state === "terminal");
}

function nextFinalize(requests: readonly RequestProgress[]): Action | undefined {
  for (const [index, request] of requests.entries()) {
    if (request.state === "waiting" || request.state === "preparing") return undefined;
    if (request.state === "prepared" && request.pending === 0 && request.active + request.writing === 0)
      return { kind: "finalize", index };
    if (request.state === "prepared" && request.pending > 0) return undefined;
  }
  return undefined;
}

/** A task starts while others are written, so that a slow disk delays no model call; but never more than a whole turn of them. */
function nextStart(requests: readonly RequestProgress[], concurrency: number): Action | undefined {
  const running = requests.reduce((sum, request) => sum + request.active, 0);
  const writing = requests.reduce((sum, request) => sum + request.writing, 0);
  if (running >= concurrency || writing >= concurrency) return undefined;
  for (const [index, request] of requests.entries()) {
    if (request.state === "waiting" || request.state === "preparing") return undefined;
    if (request.state === "prepared" && request.pending > 0) return { kind: "start", index };
  }
  return undefined;
}

function nextPrepare(requests: readonly RequestProgress[], concurrency: number): Action | undefined {
  let pending = 0;
  for (const [index, request] of requests.entries()) {
    if (request.state === "preparing") return undefined;
    if (request.state === "waiting") return pending < concurrency ? { kind: "prepare", index } : undefined;
    pending += request.pending;
  }
  return undefined;
}
