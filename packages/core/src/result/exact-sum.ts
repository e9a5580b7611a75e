/**
 * The sum of finite numbers, correctly rounded: it does not depend on their order. Shewchuk, "Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates" (1997): the running sum is kept as partial sums
 * that do not overlap, smallest first. The sum of no numbers is 0.
 */
export function exactSum(values: readonly number[]): number {
  const partials: number[] = [];
  for (const value of values) addToPartials(partials, value);
  return roundPartials(partials);
}

/** The mean as exact sum of each value divided by their number; null when there are none. */
export function exactMean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return exactSum(values.map((value) => value / values.length));
}

function addToPartials(partials: number[], value: number): void {
  let high = value;
  let kept = 0;
  for (const partial of partials) {
    const [sum, error] = twoSum(high, partial);
    if (error !== 0) {
      partials[kept] = error;
      kept += 1;
    }
    high = sum;
  }
  partials.length = kept;
  partials.push(high);
}

/** Sum and its rounding error (Dekker's fast form, the larger first). */
function twoSum(left: number, right: number): [sum: number, error: number] {
  const [large, small] = Math.abs(left) >= Math.abs(right) ? [left, right] : [right, left];
  const sum = large + small;
  return [sum, small - (sum - large)];
}

function roundPartials(partials: readonly number[]): number {
  let index = partials.length - 1;
  let total = partials[index] ?? 0;
  let rest = 0;
  while (index > 0 && rest === 0) {
    index -= 1;
    [total, rest] = twoSum(total, partials[index] ?? 0);
  }
  return roundHalfEven(total, rest, partials[index - 1] ?? 0) + 0;
}

/** Corrects a tie that a smaller partial sum of the same sign decides. */
function roundHalfEven(total: number, rest: number, below: number): number {
  if (rest === 0 || Math.sign(rest) !== Math.sign(below)) return total;
  const doubled = rest * 2;
  const corrected = total + doubled;
  return corrected - total === doubled ? corrected : total;
}
