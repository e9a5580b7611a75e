const UNITS: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 * 1024 };

/** MiB, rounded up, of a number of MiB or a text such as `2G`, `512Mi` or `4GB`; undefined for what is no size. */
export function memoryMb(value: number | string): number | undefined {
  if (typeof value === "number") return Math.ceil(value);
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt])?(?:i?b|i)?\s*$/i.exec(value);
  if (!match) return undefined;
  const unit = UNITS[(match[2] ?? "m").toLowerCase()] ?? 1;
  return Math.ceil(Number(match[1]) * unit);
}
