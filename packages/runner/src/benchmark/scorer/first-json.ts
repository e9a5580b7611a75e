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
  return parse(text) ?? firstContainer(text) ?? firstScalar(text);
}

function firstContainer(text: string): FoundJson | undefined {
  let looks = 0;
  for (const match of text.matchAll(/[[{]/g)) {
    if (looks > MAX_LOOKS) return undefined;
    const end = containerEnd(text, match.index);
    const found = end === undefined ? undefined : parse(text.slice(match.index, end));
    if (found) return found;
    looks += (end ?? text.length) - match.index;
  }
  return undefined;
}

/** Where the bracket at `start` is closed, quoted texts skipped. */
function containerEnd(text: string, start: number): number | undefined {
  let depth = 0;
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;
  token.lastIndex = start;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === "[" || match[0] === "{") depth++;
    if (match[0] === "]" || match[0] === "}") depth--;
    if (depth === 0) return token.lastIndex;
  }
  return undefined;
}

function firstScalar(text: string): FoundJson | undefined {
  const token = /"(?:[^"\\\n]|\\.)*"|(?<![\w.-])(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\w)/g;
  for (const match of text.matchAll(token)) {
    const found = parse(match[0]);
    if (found) return found;
  }
  return undefined;
}

function parse(text: string): FoundJson | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Not JSON: the caller looks further.
    return undefined;
  }
}
