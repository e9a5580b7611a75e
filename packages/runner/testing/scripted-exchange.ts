import type { IncomingHttpHeaders } from "node:http";

export type ModelRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The Authorization header as sent. */
  readonly authorization: string | undefined;
  /** Parsed JSON body; undefined when there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
  /** Text of the last message. */
  readonly prompt: string;
};

/** What the server does with one request; without fields it answers "The answer is 42.". */
export type ModelReply = {
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly tool_calls?: readonly unknown[];
  readonly stop_reason?: string;
  readonly usage?: unknown;
  readonly model?: string;
  /** Status other than 200; `error` is then the message of the error object. */
  readonly status?: number;
  readonly error?: string;
  /** Whole body instead of an answer: text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** `request`: never answers; `body`: sends the head and half of the body; `reset`: breaks the connection off. */
  readonly hang?: "request" | "body" | "reset";
};
