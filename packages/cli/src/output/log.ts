import type { LogRecord } from "@agentcompass/core/port";
import { oneLine } from "../failure.ts";
import { formatClock } from "./format.ts";

/** A log record as a line: HH:MM:SS LEVEL source message. */
export function logLine(record: LogRecord, time: Date): string {
  return `${formatClock(time)} ${record.level.padEnd(8)} ${record.source} ${oneLine(record.message)}`;
}
