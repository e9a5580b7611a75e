import type { Clock } from "../port/clock.ts";

function local(clock: Clock, at: number): string {
  return new Date(at + clock.offsetMinutes(at) * 60_000).toISOString();
}

/** `2026-11-29T19:34:16+00:00`: local time with offset, whole seconds. */
export function isoSeconds(clock: Clock, at: number): string {
  const offset = clock.offsetMinutes(at);
  const size = Math.abs(offset);
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${local(clock, at).slice(0, 19)}${offset < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** `2026-11-29 19:34:16.744000`: the naive local form of trajectories. */
export function trajectoryTime(clock: Clock, at: number): string {
  const text = local(clock, at);
  const micros = String(Math.floor((at - Math.floor(at)) * 1000)).padStart(3, "0");
  return `${text.slice(0, 10)} ${text.slice(11, 23)}${micros}`;
}

/** `20261129_193416`: the default run id. */
export function runIdFromTime(clock: Clock, at: number): string {
  return local(clock, at).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
}
