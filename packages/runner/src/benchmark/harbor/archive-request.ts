import type { Readable } from "node:stream";
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import { isFetchable, isLoopback } from "./repository.ts";

const MOST_REDIRECTS = 5;
const CONNECT_MS = 30_000;

export type ArchiveAnswer = {
  readonly body: Readable;
  /** Where the bytes come from in the end. */
  readonly address: string;
  /** Ends the connection. */
  close(): Promise<void>;
};

/**
 * Asks for an archive; redirects are followed from https to https alone, on this machine also over http. HTTPS_PROXY, HTTP_PROXY
 * and NO_PROXY are honoured. Throws an Error with the status or the reason; a server that says nothing for `silenceMs` is given up.
 */
export async function requestArchive(address: string, silenceMs: number, signal: AbortSignal): Promise<ArchiveAnswer> {
  const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs, connect: { timeout: CONNECT_MS } };
  const dispatcher = isLoopback(new URL(address)) ? new Agent(timeouts) : new EnvHttpProxyAgent(timeouts);
  try {
    const { body, address: from } = await follow(new URL(address), dispatcher, signal);
    return { body, address: from, close: () => dispatcher.destroy() };
  } catch (error) {
    await dispatcher.destroy();
    throw error;
  }
}

async function follow(
  start: URL,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Pick<ArchiveAnswer, "body" | "address">> {
  let url = start;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const answer = await request(url, { dispatcher, signal, headers: { "user-agent": "agentcompass" } });
    if (answer.statusCode === 200) return { body: answer.body, address: url.href };
    answer.body.on("error", () => undefined).destroy();
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.statusCode) || typeof location !== "string")
      throw new Error(`${url.href} answered with status ${answer.statusCode}${hint(answer.statusCode)}`);
    url = nextUrl(url, location);
  }
  throw new Error(`more than ${MOST_REDIRECTS} redirects`);
}

function nextUrl(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href))
    throw new Error(`${from.href} redirects to '${location}', which is no address`);
  const to = new URL(location, from);
  if (isFetchable(to) && !(isLoopback(to) && !isLoopback(from))) return to;
  throw new Error(`${from.href} redirects to ${to.origin}, which is refused: only https addresses are followed`);
}

function hint(status: number): string {
  if (status === 404) return " (no such repository or commit, or not a public one)";
  if (status === 401 || status === 403) return " (not a public repository, or too many requests)";
  return "";
}
