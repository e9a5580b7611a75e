import type { Clock } from "@agentcompass/core/port";

/** An instant as trajectories write it: local time, no zone, microseconds, a space after the date. */
export function localTimeText(clock: Pick<Clock, "offsetMinutes">, at: number): string {
  const local = new Date(Math.floor(at) + clock.offsetMinutes(at) * 60_000).toISOString();
  const microseconds = Math.floor((at - Math.floor(at)) * 1000);
  return `${local.slice(0, 10)} ${local.slice(11, 23)}${String(microseconds).padStart(3, "0")}`;
}
