import { EMPTY_API_KEY } from "./api-key.ts";

const LONGEST_MESSAGE = 500;
const SHORTEST_SECRET = 4;

/** The start of a text, not ending within a word: half a key would not be known for one. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\w+/=.-]+$/, "");
}

/** One line without the given secrets and without credentials in addresses, cut to 500 characters. */
export function redactLine(text: string, secrets: readonly string[]): string {
  let line = text;
  for (const secret of secrets) {
    if (secret.length >= SHORTEST_SECRET && secret !== EMPTY_API_KEY) line = line.replaceAll(secret, "********");
  }
  line = line
    .replace(/\/\/[^/\s@]+@/g, "//********@")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}…`;
}
