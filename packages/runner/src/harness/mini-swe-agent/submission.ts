import type { CommandOutput } from "./command.ts";
import { SUBMIT_MARKER } from "./wording.ts";

// Blanks and line ends as Python's str knows them, for these decide what a submission is.
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python counts these control characters among the blanks
const LEADING_BLANKS = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const ONLY_BLANKS = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const LINE_END = /[\n-\r\x1c-\x1e\x85\u2028\u2029]/;

/**
 * What a command submits: all after its first line that is not blank, when that is the marker alone and the command succeeded.
 * Undefined when it submits nothing.
 */
export function submissionOf({ output, returncode }: CommandOutput): string | undefined {
  if (returncode !== 0) return undefined;
  const text = output.replace(LEADING_BLANKS, "");
  if (!text.startsWith(SUBMIT_MARKER)) return undefined;
  const end = LINE_END.exec(text)?.index ?? text.length;
  return ONLY_BLANKS.test(text.slice(SUBMIT_MARKER.length, end)) ? text.slice(end + 1) : undefined;
}
