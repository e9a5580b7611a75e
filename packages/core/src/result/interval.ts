import { exactMean, exactSum } from "./exact-sum.ts";
import { studentTQuantile } from "./student-t.ts";

/** The share of intervals that hold the true mean, were the evaluation repeated with other tasks of the same kind. */
export const CONFIDENCE_LEVEL = 0.95;

/** The normal quantile of (1 + CONFIDENCE_LEVEL) / 2. */
const Z = 1.959963984540054;

export type Interval = { readonly low: number; readonly high: number };

/** A mean and how sure it is. */
export type Estimate = {
  readonly mean: number;
  /** Null when it cannot be had: fewer than two tasks. */
  readonly standard_error: number | null;
  readonly interval: Interval | null;
};

/**
 * The interval of a share p of n tasks: (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n). Wilson, "Probable
 * inference, the law of succession, and statistical inference", JASA 22 (1927). It stays within 0 and 1 and has a
 * width also where every task ended alike.
 */
export function wilsonInterval(share: number, n: number): Interval {
  const square = Z * Z;
  const scale = 1 + square / n;
  const centre = (share + square / (2 * n)) / scale;
  const reach = (Z / scale) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n));
  return { low: Math.min(share, Math.max(0, centre - reach)), high: Math.max(share, Math.min(1, centre + reach)) };
}

/**
 * The interval of the mean of n independent values: mean -+ t(0.975; n-1) s / sqrt(n). Student, "The probable error of
 * a mean", Biometrika 6 (1908). It is not cut to the range of the metric.
 */
export function studentInterval(mean: number, standardError: number, n: number): Interval {
  const reach = studentTQuantile((1 + CONFIDENCE_LEVEL) / 2, n - 1) * standardError;
  return { low: mean - reach, high: mean + reach };
}

/** s / sqrt(n), where s divides the squared deviations by n - 1; null for fewer than two values. */
export function standardError(values: readonly number[]): number | null {
  const n = values.length;
  const mean = exactMean(values);
  if (n < 2 || mean === null) return null;
  return Math.sqrt(exactSum(values.map((value) => (value - mean) ** 2)) / (n - 1) / n);
}

/**
 * A weighted sum of independent means, the weights taken as fixed: the errors add as squares, and so do the lower and
 * the upper halves of the intervals. Zou and Donner, "Construction of confidence limits about effect measures: a general
 * approach", Statistics in Medicine 27 (2008).
 */
export function combineEstimates(
  mean: number,
  parts: readonly { readonly weight: number; readonly estimate: Estimate }[],
): Estimate {
  const counted = parts.filter(({ weight }) => weight > 0);
  const error = rootOfSquares(
    counted.map(({ weight, estimate }) => (estimate.standard_error === null ? null : weight * estimate.standard_error)),
  );
  const below = rootOfSquares(
    counted.map(({ weight, estimate }) => estimate.interval && weight * (estimate.mean - estimate.interval.low)),
  );
  const above = rootOfSquares(
    counted.map(({ weight, estimate }) => estimate.interval && weight * (estimate.interval.high - estimate.mean)),
  );
  const interval = below === null || above === null ? null : { low: mean - below, high: mean + above };
  return { mean, standard_error: error, interval };
}

/** Null when any term is. */
function rootOfSquares(terms: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const term of terms) {
    if (term === null) return null;
    sum += term * term;
  }
  return Math.sqrt(sum);
}
