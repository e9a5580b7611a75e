import type { Sdk } from "./sdk-surface.ts";

export type StopSignal = "SIGINT" | "SIGTERM";

/** Where text goes: a stream or, in a test, a list. */
export type TextSink = { write(text: string): void };

/** Everything of the process that commands use, so that tests can hand in their own. */
export type Host = {
  readonly sdk: () => Promise<Sdk>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether stderr is a terminal that understands cursor movement. */
  readonly isTty: boolean;
  /** Size of the terminal behind stderr now. */
  readonly terminalSize: () => { readonly columns: number; readonly rows: number };
  readonly now: () => Date;
  /** Calls back again and again until the returned function is called; never keeps the process alive. */
  readonly every: (milliseconds: number, callback: () => void) => () => void;
  /** Listens to SIGINT and SIGTERM until the returned function is called. */
  readonly onStopSignal: (listener: (signal: StopSignal) => void) => () => void;
  /** Ends the process at once. */
  readonly exitNow: (code: number) => void;
};
