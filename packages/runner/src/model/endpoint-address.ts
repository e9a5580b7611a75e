import type { EndpointProtocol } from "./endpoint-protocol.ts";

/** Where an endpoint is called: `root` has no slash at its end, `query` goes with each request. */
export type EndpointAddress = { readonly root: string; readonly query: Readonly<Record<string, string>> };

/** Bare hosts whose interface is known to lie below a path. */
const KNOWN_ROOTS: Readonly<Record<string, string>> = { "https://api.openai.com": "https://api.openai.com/v1" };

/**
 * Reads a base_url as people write it: with or without a slash at the end, with a query, with the path of the call itself.
 * Nothing is guessed: a bare host stays one, for some endpoints answer there. Undefined for what is no http address.
 */
export function endpointAddress(
  baseUrl: string,
  protocol: Pick<EndpointProtocol, "defaultAddress" | "redundantEnds">,
): EndpointAddress | undefined {
  const url = parse(baseUrl.trim() === "" ? protocol.defaultAddress : baseUrl.trim());
  if (url === undefined) return undefined;
  const whole = withoutSlashes(url.href.slice(0, url.href.length - url.search.length - url.hash.length));
  const end = protocol.redundantEnds.find((text) => whole.endsWith(text));
  const root = withoutSlashes(end === undefined ? whole : whole.slice(0, -end.length));
  return { root: KNOWN_ROOTS[root] ?? root, query: Object.fromEntries(url.searchParams) };
}

function parse(text: string): URL | undefined {
  if (!/^https?:\/\/[^/]/i.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function withoutSlashes(text: string): string {
  return text.replace(/\/+$/, "");
}
