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
    if (asksForLongWait(headers)) headers.set("x-should-retry", "false");
    return new Response(body.byteLength === 0 ? null : body, { status: answer.status, headers });
  };
}

/** A wait this long belongs to the caller, who knows its deadline and can be stopped. */
function asksForLongWait(headers: Headers): boolean {
  const wait = retryAfterMs(headers, Date.now());
  return wait !== null && wait > LONGEST_CLIENT_WAIT_MS;
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
