import { isContextOverflow } from "./refusal.ts";

type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 60_000;
const LONGEST_CLIENT_WAIT_MS = 60_000;

let shared: Promise<Send> | undefined;

/**
 * A fetch over one pool of kept-alive connections for the whole process. It resolves when the whole answer is here,
 * so that a caller's time limit and retries also cover a body that stalls or breaks off.
 */
export function sharedTransport(): Promise<Send> {
  shared ??= createTransport();
  return shared;
}

async function createTransport(): Promise<Send> {
  const { Agent, fetch } = await import("undici");
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: IDLE_CONNECTION_MS,
    // The built-in fetch gives up after 300 s, while a reasoning model may think longer; the client has its own limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return async (input, init) => {
    const request = { ...init, dispatcher } as NonNullable<Parameters<typeof fetch>[1]>;
    const answer = await fetch(String(input), request).catch(explainConnectTimeout);
    const body = await answer.arrayBuffer();
    // The pool takes the connection back after this turn; a caller that went on at once would open another one.
    await new Promise((resolve) => setImmediate(resolve));
    const headers = new Headers([...answer.headers]);
    // The body is decoded by now; its old length and encoding would describe something else.
    headers.delete("content-encoding");
    headers.delete("content-length");
    steerRetries(answer.status, headers, body);
    return new Response(body.byteLength === 0 ? null : body, { status: answer.status, headers });
  };
}

/** Statuses that a key or an account must mend, whatever an endpoint says of another try. */
const LASTING_STATUSES = new Set([401, 402, 403]);

/**
 * Tells the clients, which obey these headers, how long to wait in the one form that they read alike, and not to call again
 * where that is in vain, or where the wait is so long that it belongs to the caller, who knows its deadline and can be stopped.
 */
function steerRetries(status: number, headers: Headers, body: ArrayBuffer): void {
  if (status < 400) return;
  const wait = retryAfterMs(headers, Date.now());
  if (wait !== null) headers.set("retry-after-ms", String(Math.max(1, wait)));
  const isLong = wait !== null && wait > LONGEST_CLIENT_WAIT_MS;
  if (isLong || LASTING_STATUSES.has(status) || saysOverflow(status, body)) headers.set("x-should-retry", "false");
}

/** Some servers call too long a conversation a failure of their own. */
function saysOverflow(status: number, body: ArrayBuffer): boolean {
  return isContextOverflow({ status, text: new TextDecoder().decode(body), code: null });
}

/** What Retry-After (or retry-after-ms) asks for, milliseconds from `now`; null when absent or unreadable. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | null {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const text = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Keeps a host that never accepted from being taken for a model that was too slow. */
function explainConnectTimeout(error: unknown): never {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && cause.code === "UND_ERR_CONNECT_TIMEOUT") {
    throw new Error(`no connection after ${CONNECT_TIMEOUT_MS / 1000} s`);
  }
  throw error;
}
