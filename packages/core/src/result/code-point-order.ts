/** Compares texts by code point, as Python sorts them; JavaScript's own order goes by UTF-16 unit. */
export function compareCodePoints(left: string, right: string): number {
  const leftPoints = Array.from(left, codePoint);
  const rightPoints = Array.from(right, codePoint);
  const shared = Math.min(leftPoints.length, rightPoints.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (leftPoints[index] ?? 0) - (rightPoints[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return leftPoints.length - rightPoints.length;
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** The texts sorted by code point; only surrogates make that another order than JavaScript's own, which is far faster. */
export function inCodePointOrder(texts: readonly string[]): string[] {
  return texts.some((text) => SURROGATE.test(text)) ? [...texts].sort(compareCodePoints) : [...texts].sort();
}

const SURROGATE = /[\ud800-\udfff]/;
