/** A score with four decimals, as summary.md shows it; "-" when there is none. */
export function formatScore(value: number | null): string {
  return value === null ? "-" : value.toFixed(4);
}

/** 950, 12.3k, 4.56M. */
export function formatCount(value: number): string {
  if (value < 10_000) return String(Math.round(value));
  if (value < 1_000_000) return `${(value / 1000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(2)}M`;
}

/** Dollars with as many decimals as a small sum needs. */
export function formatCost(dollars: number): string {
  return `$${dollars.toFixed(dollars !== 0 && dollars < 1 ? 4 : 2)}`;
}

/** 0.8 s, 42 s, 3 m 05 s, 2 h 07 m. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number): string => String(value).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} m`;
}

/** HH:MM:SS of the local time. */
export function formatClock(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}
