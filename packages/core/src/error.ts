/**
 * The one error of AgentCompass and the one table that says what each code means.
 * Nothing else maps errors to exit codes, HTTP statuses or retry advice.
 */

export type ErrorKind =
  | "input"
  | "auth"
  | "not-found"
  | "conflict"
  | "limit"
  | "unavailable"
  | "timeout"
  | "cancelled"
  | "internal";

export type Retry = "never" | "backoff" | { readonly afterMs: number };

type CodeFacts = { readonly kind: ErrorKind; readonly exitCode: number; readonly retry: Retry };

const refused = { kind: "input", exitCode: 2, retry: "never" } as const;

/** Every error code with its kind, the exit code of the CLI and what a caller may do. */
export const ERROR_CODES = {
  "usage.invalid": refused,
  "spec.invalid": refused,
  "config.invalid": refused,
  "file.unreadable": refused,
  "component.unknown": refused,
  "component.invalid": refused,
  "component.unavailable": { kind: "unavailable", exitCode: 2, retry: "never" },
  "benchmark.data_missing": { kind: "not-found", exitCode: 2, retry: "never" },
  "benchmark.data_invalid": refused,
  "benchmark.empty": refused,
  "report.refused": { kind: "input", exitCode: 2, retry: "never" },
  "run.exists": { kind: "conflict", exitCode: 2, retry: "never" },
  "run.unreadable": { kind: "not-found", exitCode: 2, retry: "never" },
  "store.unwritable": { kind: "unavailable", exitCode: 2, retry: "never" },
  "store.full": { kind: "unavailable", exitCode: 1, retry: "never" },
  "run.failed": { kind: "unavailable", exitCode: 1, retry: "never" },
  "run.timed_out": { kind: "timeout", exitCode: 1, retry: "never" },
  "run.cancelled": { kind: "cancelled", exitCode: 130, retry: "never" },
  "limit.exceeded": { kind: "limit", exitCode: 1, retry: "backoff" },
  "environment.failed": { kind: "unavailable", exitCode: 1, retry: "backoff" },
  "model.failed": { kind: "unavailable", exitCode: 1, retry: "backoff" },
  "internal.unexpected": { kind: "internal", exitCode: 1, retry: "never" },
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

const HTTP_STATUS: Record<ErrorKind, number> = {
  input: 400,
  auth: 403,
  "not-found": 404,
  conflict: 409,
  limit: 429,
  unavailable: 503,
  timeout: 504,
  cancelled: 499,
  internal: 500,
};

const MARKER = Symbol.for("agentcompass.error");

export type AgentCompassErrorOptions = {
  /** Facts for programs: JSON values only, never a secret. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Overrides the table, for instance with a provider's Retry-After. */
  readonly retry?: Retry;
};

/**
 * An expected failure as data: a code for programs, one line for people (what was found, where, what is
 * allowed, what to do). The CLI prints `message` alone, never a stack trace.
 */
export class AgentCompassError extends Error {
  override readonly name = "AgentCompassError";
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  readonly retry: Retry;
  readonly [MARKER] = true;

  constructor(code: ErrorCode, message: string, options: AgentCompassErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data ?? {};
    this.retry = options.retry ?? ERROR_CODES[code].retry;
  }

  /** True for errors of any bundled copy of this class. */
  static isInstance(value: unknown): value is AgentCompassError {
    return typeof value === "object" && value !== null && MARKER in value;
  }

  get kind(): ErrorKind {
    return ERROR_CODES[this.code].kind;
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exitCode;
  }

  get httpStatus(): number {
    return HTTP_STATUS[this.kind];
  }

  toJSON(): { code: ErrorCode; message: string; data: Readonly<Record<string, unknown>>; retry: Retry } {
    return { code: this.code, message: this.message, data: this.data, retry: this.retry };
  }

  static fromJSON(value: {
    code: ErrorCode;
    message: string;
    data?: Record<string, unknown>;
    retry?: Retry;
  }): AgentCompassError {
    return new AgentCompassError(value.code, value.message, {
      ...(value.data && { data: value.data }),
      ...(value.retry && { retry: value.retry }),
    });
  }
}

/** The text of anything thrown, for a message; never a stack trace, and never a failure of its own. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message || error.name) : String(error);
  } catch {
    return "something that has no text was thrown";
  }
}

/** What fits into one line of a log, a table or an error. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}
