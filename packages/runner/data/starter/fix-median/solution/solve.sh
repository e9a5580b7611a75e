#!/bin/sh
set -e
cat >median.mjs <<'END'
export function median(numbers) {
  if (numbers.length === 0) throw new RangeError("the median of no numbers");
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
END
