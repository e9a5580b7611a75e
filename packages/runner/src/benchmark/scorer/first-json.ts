/** Longest text that is searched, and how many characters are looked at in all, so that a hostile answer cannot hold the run up. */
const MAX_LENGTH = 1_000_000;
const MAX_LOOKS = 1_000_000;

export type FoundJson = { readonly value: unknown };

/**
 * The first JSON value in a text: the whole text when it is JSON; else the first object or array in it; else the first
 * quoted text, number, true, false or null. Undefined when there is none.
 */
export function firstJson(answer: string): FoundJson | undefined {
  const text = answer.slice(0, MAX_LENGTH);
  return parse(text) ?? first(containers(text)) ?? first(scalars(text));
}

/** The whole text when it is JSON; else every object and array in it that lies in no other one, in their order. */
export function allJson(answer: string): readonly FoundJson[] {
  const text = answer.slice(0, MAX_LENGTH);
  const whole = parse(text);
  return whole ? [whole] : [...containers(text)];
}

function first(found: Iterable<FoundJson>): FoundJson | undefined {
  for (const one of found) return one;
  return undefined;
}

function* containers(text: string): Generator<FoundJson> {
  let looks = 0;
  let from = 0;
  for (const match of text.matchAll(/[[{]/g)) {
    if (match.index < from) continue;
    if (looks > MAX_LOOKS) return;
    const end = containerEnd(text, match.index);
    looks += (end ?? text.length) - match.index;
    const found = end === undefined ? undefined : parse(text.slice(match.index, end));
    if (found === undefined) continue;
    from = end ?? from;
    yield found;
  }
}

/** Where the bracket at `start` is closed, quoted texts skipped. */
function containerEnd(text: string, start: number): number | undefined {
  let depth = 0;
  // A quote that is never closed takes the rest: looking from each further one anew would have no end.
  const token = /"(?:[^"\\]|\\.)*"?|[[\]{}]/gs;
  token.lastIndex = start;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === "[" || match[0] === "{") depth++;
    if (match[0] === "]" || match[0] === "}") depth--;
    if (depth === 0) return token.lastIndex;
  }
  return undefined;
}

const WORD = /(?<![\w.-])(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\w)/g;
const SCALAR = new RegExp(String.raw`"(?:[^"\\\n]|\\.)*("?)|${WORD.source}`, "g");

function* scalars(text: string): Generator<FoundJson> {
  for (const [written, closing] of text.matchAll(SCALAR)) {
    // All quotes after one that its line does not close are open as well; words count there too.
    const isOpen = closing === "";
    for (const one of isOpen ? (written.match(WORD) ?? []) : [written]) {
      const found = parse(one);
      if (found) yield found;
    }
  }
}

function parse(text: string): FoundJson | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Not JSON: the caller looks further.
    return undefined;
  }
}
