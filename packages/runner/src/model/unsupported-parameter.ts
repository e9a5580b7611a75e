import type { Refusal } from "./refusal.ts";

/** Words by which endpoints refuse a parameter, as against its value being out of range. */
const REFUSES =
  /unsupported|not (?:be )?support|n.t support|unrecogni[sz]ed|unknown (?:parameter|name|argument|field)|extra (?:inputs|fields)|extra_forbidden|not permitted|not allowed|deprecated|cannot both be specified|only .{0,40}(?:is|are) (?:supported|allowed)/i;

/** Names that are words of any sentence too: they count only where they are quoted or stand before or after a colon. */
const ORDINARY_WORDS = new Set(["n", "stop", "user", "store", "text", "input", "include", "metadata", "system"]);

/**
 * The parameter, as the user calls it, that a refusal is about: the one that the endpoint names, else the first of those
 * sent that its text names. `parameters` gives the user's name by the name in the request. Undefined when the refusal is
 * about something else.
 */
export function unsupportedParameter(
  refusal: Refusal & { readonly parameter: string | null },
  parameters: ReadonlyMap<string, string>,
): string | undefined {
  if (refusal.status !== 400 && refusal.status !== 422) return undefined;
  if (!REFUSES.test(`${refusal.code ?? ""} ${refusal.text}`)) return undefined;
  const named = refusal.parameter === null ? undefined : parameters.get(refusal.parameter);
  if (named !== undefined) return named;
  const users = new Map([...parameters].flatMap(([sent, user]) => [sent, user].map((name) => [plain(name), user])));
  for (const match of refusal.text.matchAll(/[A-Za-z][\w.]*\w|[A-Za-z]/g)) {
    const user = users.get(plain(match[0]));
    if (user !== undefined && (!ORDINARY_WORDS.has(match[0]) || isMarked(refusal.text, match))) return user;
  }
  return undefined;
}

/** Some endpoints write presencePenalty for presence_penalty. */
function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function isMarked(text: string, match: RegExpExecArray): boolean {
  const before = text.slice(0, match.index).trimEnd().at(-1) ?? "";
  const after = text.slice(match.index + match[0].length).at(0) ?? "";
  return "'\"`:".includes(before || " ") || "'\"`:".includes(after || " ");
}
