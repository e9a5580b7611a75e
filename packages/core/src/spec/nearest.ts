/** The known text that is closest to what was written, when it is close enough to have been meant. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  let best: { readonly text: string; readonly distance: number } | undefined;
  for (const text of known) {
    const distance = editDistance(written.toLowerCase(), text.toLowerCase());
    if (!best || distance < best.distance) best = { text, distance };
  }
  const allowed = Math.max(1, Math.floor(written.length / 3));
  return best && best.distance <= allowed ? best.text : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours between two texts (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let above = 1; above <= left.length; above += 1) {
    const next = [above];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (left[above - 1] === right[column - 1] ? 0 : 1);
      const swaps = left[above - 1] === right[column - 2] && left[above - 2] === right[column - 1];
      const swapped = swaps ? (before[column - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
