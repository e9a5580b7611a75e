/** The category of tasks that name none. */
export const UNCATEGORIZED = "__uncategorized__";

/** White space as Python's `strip` sees it, which JavaScript's `trim` does not quite. */
const BLANK = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SURROUNDING = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "g");

/** The text without surrounding white space. */
export function trimBlanks(text: string): string {
  return text.replaceAll(SURROUNDING, "");
}

/** A task's category as reports name it: trimmed; null and blank are uncategorized. */
export function categoryName(category: string | null | undefined): string {
  return trimBlanks(category ?? "") || UNCATEGORIZED;
}
