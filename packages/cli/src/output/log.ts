import type { LogRecord } from "@agentcompass/core/port";
import { formatClock } from "./format.ts";
import { oneLine } from "./width.ts";

/** A log record as a line: HH:MM:SS LEVEL source message, with [NN:name] where several requests run. */
export function logLine(record: LogRecord, time: Date, several: boolean): string {
  const { request } = record;
  const prefix = several && request ? `[${String(request.index + 1).padStart(2, "0")}:${request.name}] ` : "";
  return `${formatClock(time)} ${record.level.padEnd(8)} ${prefix}${record.source} ${oneLine(record.message)}`;
}
