/** UTF-8 keeps the order of code points, which JavaScript's own comparison of strings does not. */
export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
