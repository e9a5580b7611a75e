/** The category of tasks that name none. */
export const UNCATEGORIZED = "__uncategorized__";

/** White space as Python's `strip` sees it, which JavaScript's `trim` does not quite. */
const BLANKS = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANK = new RegExp(`[${BLANKS}]`);

/** The text without surrounding white space, in time linear in its length, which an expression for both ends is not. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (start < end && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A task's category as reports name it: trimmed; null and blank are uncategorized. */
export function categoryName(category: string | null | undefined): string {
  return trimBlanks(category ?? "") || UNCATEGORIZED;
}
