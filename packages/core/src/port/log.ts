export const LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line of the log: a level, the part that speaks, a text that is already redacted. */
export type LogRecord = {
  readonly level: LogLevel;
  readonly source: string;
  readonly message: string;
  /** The request that it is about, where there is one. */
  readonly request?: { readonly index: number; readonly name: string };
};

/** Takes log records; never throws, never waits. */
export type Log = (record: LogRecord) => void;
