import { errorText } from "../error.ts";

type StopKind = "timed_out" | "cancelled";

/** Why the orchestration was ended from outside or by its deadline; the reason of every signal in it. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly kind: StopKind;

  constructor(kind: StopKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A task was stopped as its request ends early; it counts as not run. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** The cancellation that an aborted signal stands for. */
export function cancelledBy(signal: AbortSignal): Stopped {
  const reason: unknown = signal.reason;
  if (reason instanceof Stopped) return reason;
  const why = reason instanceof Error && reason.name !== "AbortError" ? `: ${errorText(reason)}` : "";
  return new Stopped("cancelled", `orchestration cancelled${why}`);
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
