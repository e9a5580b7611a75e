/**
 * A number with four decimals as Python's `.4f` writes it: rounded from its exact value, ties to the even digit, never
 * with an exponent.
 */
export function fourDecimals(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? "-" : "";
  if (size >= 1e21) return `${sign}${BigInt(size)}.0000`;
  const ticks = size * 32;
  // Of all numbers only the odd 32nds lie exactly between two of four decimals; toFixed rounds those up.
  if (!Number.isInteger(ticks) || ticks % 2 !== 1) return sign + size.toFixed(4);
  const below = Math.floor(ticks * 312.5);
  const digits = String(below % 2 === 0 ? below : below + 1).padStart(5, "0");
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
