import { type ExchangeAnswer, type ExchangeAsk, exchange } from "./http-exchange.ts";
import { isContextOverflow } from "./refusal.ts";

type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const LONGEST_CLIENT_WAIT_MS = 60_000;
const MOST_REDIRECTS = 5;

/**
 * The fetch of every client, over one pool of kept-alive connections for the whole process. It resolves when the whole answer
 * is here, so that a caller's time limit and retries also cover a body that stalls or breaks off.
 */
export const sendRequest: Send = async (input, init) => {
  const { status, headers, body } = await follow({
    url: new URL(String(input)),
    method: init?.method ?? "GET",
    headers: Object.fromEntries(new Headers(init?.headers)),
    body: init?.body as string | Uint8Array | undefined,
    signal: init?.signal ?? undefined,
  });
  if (status < 200 || status > 599) throw new Error(`it answered with status ${status}, which HTTP does not know`);
  // The body is decoded by now; its old length and encoding would describe something else.
  headers.delete("content-encoding");
  headers.delete("content-length");
  // Read as JSON by us, so that what is none is told the same way whatever type it has.
  if (status < 400) headers.set("content-type", "text/plain");
  steerRetries(status, headers, body);
  return new WholeResponse(body, { status, headers });
};

/** The clients read the text of a response; where it is here already, no stream has to be made for that and drained again. */
class WholeResponse extends Response {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, init: ResponseInit) {
    super(null, init);
    this.#bytes = bytes;
  }

  override readonly text = async (): Promise<string> => new TextDecoder().decode(this.#bytes);
  override readonly json = async (): Promise<unknown> => JSON.parse(await this.text());
}

/** Follows the redirects that keep method and body. A key goes to no other origin than the one that it was given for. */
async function follow(ask: ExchangeAsk, followed = 0): Promise<ExchangeAnswer> {
  const answer = await exchange(ask);
  const location = answer.headers.get("location");
  if (answer.status < 300 || answer.status >= 400 || location === null) return answer;
  const target = URL.canParse(location, ask.url.href) ? new URL(location, ask.url) : undefined;
  const keeps = answer.status === 307 || answer.status === 308;
  if (!keeps || target?.origin !== ask.url.origin || followed === MOST_REDIRECTS) return redirected(answer, location);
  return follow({ ...ask, url: target }, followed + 1);
}

function redirected(answer: ExchangeAnswer, location: string): ExchangeAnswer {
  const message = `the endpoint redirects to ${location}; give the address that it redirects to as model.base_url`;
  const headers = new Headers({ "content-type": "application/json", "x-should-retry": "false" });
  return { status: answer.status, headers, body: Buffer.from(JSON.stringify({ error: { message } })) };
}

/** Statuses that a key or an account must mend, whatever an endpoint says of another try. */
const LASTING_STATUSES = new Set([401, 402, 403]);

/**
 * Tells the clients, which obey these headers, how long to wait in the one form that they read alike, and not to call again
 * where that is in vain, or where the wait is so long that it belongs to the caller, who knows its deadline and can be stopped.
 */
function steerRetries(status: number, headers: Headers, body: Buffer): void {
  if (status < 400) return;
  const wait = retryAfterMs(headers, Date.now());
  if (wait !== null) headers.set("retry-after-ms", String(Math.max(1, wait)));
  const isLong = wait !== null && wait > LONGEST_CLIENT_WAIT_MS;
  if (isLong || LASTING_STATUSES.has(status) || saysOverflow(status, body)) headers.set("x-should-retry", "false");
}

/** Some servers call too long a conversation a failure of their own. */
function saysOverflow(status: number, body: Buffer): boolean {
  return isContextOverflow({ status, text: body.toString("utf8"), code: null });
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
