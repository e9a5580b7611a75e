import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

/** One request with its whole body. */
export type ExchangeAsk = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
};

/** An answer that is here as a whole, its body decoded. */
export type ExchangeAnswer = { readonly status: number; readonly headers: Headers; readonly body: Buffer };

const CONNECT_TIMEOUT_MS = 10_000;
/** No answer of a model is as long; a server that never stops must not fill the memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const POOL = { keepAlive: true, timeout: 60_000, scheduling: "lifo" } as const;

// One pool for the whole process. Node's own client: its package of the name undici takes a tenth of a second to load.
const pools = { http: new HttpAgent(POOL), https: new HttpsAgent(POOL) };

/**
 * Sends one request over a kept-alive connection and resolves with the whole answer, however long it takes: the caller has
 * the time limit. Redirects are not followed. Rejects with the signal's reason, or an Error of the connection.
 */
export async function exchange(ask: ExchangeAsk): Promise<ExchangeAnswer> {
  ask.signal?.throwIfAborted();
  try {
    return await exchangeOnce(ask);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return exchangeOnce(ask);
  }
}

/** The server closed a kept connection as the request was sent over it: as a rule it has not been worked on. */
class StaleConnection extends Error {
  override readonly name = "StaleConnection";
}

function exchangeOnce(ask: ExchangeAsk): Promise<ExchangeAnswer> {
  const { url, method, body, signal } = ask;
  const secure = url.protocol === "https:";
  const options: RequestOptions = { method, headers: ask.headers, agent: secure ? pools.https : pools.http };
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)(url, options);
    const abort = (): unknown => request.destroy(asError(signal?.reason));
    signal?.addEventListener("abort", abort, { once: true });
    limitConnecting(request);
    let isAnswered = false;
    request.on("response", (response) => {
      isAnswered = true;
      readAnswer(response).then(resolve, reject);
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === "ECONNRESET" && !signal?.aborted;
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    request.on("close", () => {
      signal?.removeEventListener("abort", abort);
      // After a change of protocol there is neither a response nor an error.
      if (!isAnswered) reject(new Error("the connection was closed without an answer"));
    });
    request.end(body);
  });
}

/** A host that never accepts is no model that is too slow. */
function limitConnecting(request: ReturnType<typeof requestHttp>): void {
  request.on("socket", (socket) => {
    if (!socket.connecting) return;
    const late = setTimeout(
      () => request.destroy(new Error(`no connection after ${CONNECT_TIMEOUT_MS / 1000} s`)),
      CONNECT_TIMEOUT_MS,
    );
    const stop = (): void => clearTimeout(late);
    socket.once("connect", stop).once("close", stop);
  });
}

async function readAnswer(response: IncomingMessage): Promise<ExchangeAnswer> {
  const received = await readBody(response);
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const body = await decoded(received, headers.get("content-encoding"));
  return { status: response.statusCode ?? 0, headers, body };
}

function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) response.destroy(tooLong());
      else chunks.push(chunk);
    });
    response.on("end", () => resolve(Buffer.concat(chunks)));
    response.on("error", reject);
  });
}

function tooLong(): Error {
  return new Error(`the answer is longer than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`);
}

const DECODERS: Readonly<Record<string, (body: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** No encoding was asked for; some servers use one all the same. */
async function decoded(body: Buffer, encoding: string | null): Promise<Buffer> {
  const decode = DECODERS[encoding?.trim().toLowerCase() ?? ""];
  if (!decode || body.length === 0) return body;
  return decode(body, { maxOutputLength: MAX_ANSWER_BYTES }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ERR_BUFFER_TOO_LARGE" ? tooLong() : error;
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("the request was stopped", { cause: reason });
}
