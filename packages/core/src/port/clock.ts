/** Time as the engine sees it. Tests drive it; nothing in core reads the real one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go back; for durations only. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Offset of local time from UTC at `now`, minutes east; run ids and `started_at` are local time. */
  offsetMinutes(now: number): number;
}

/** Sources of identity. Random ids carry no meaning; deterministic ones are hashes (see plan). */
export interface Ids {
  /** 32 lower-case hex digits. */
  hex(): string;
}

/** Uniform in [0, 1). */
export type Random = () => number;
