import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineEstimates, standardError, studentInterval, wilsonInterval } from "./interval.ts";

describe("wilsonInterval", () => {
  it("gives the values of the formula", () => {
    const { low, high } = wilsonInterval(0.5, 10);
    expect(low).toBeCloseTo(0.236593090512564, 12);
    expect(high).toBeCloseTo(0.763406909487436, 12);
  });

  it("keeps a width where every task ended alike", () => {
    expect(wilsonInterval(1, 10).high).toBe(1);
    expect(wilsonInterval(1, 10).low).toBeCloseTo(0.7224672001371107, 12);
    expect(wilsonInterval(0, 10).low).toBe(0);
  });

  it("lies within 0 and 1 and holds the share", () => {
    const share = fc
      .integer({ min: 1, max: 5000 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(share, ([successes, n]) => {
        const { low, high } = wilsonInterval(successes / n, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(successes / n);
        expect(high).toBeGreaterThanOrEqual(successes / n);
      }),
    );
  });
});

describe("studentInterval and standardError", () => {
  it("give what the formulas give by hand", () => {
    const error = standardError([1, 2, 3, 4]) ?? 0;
    expect(error).toBeCloseTo(Math.sqrt(5 / 3 / 4), 14);
    const { low, high } = studentInterval(2.5, error, 4);
    expect(low).toBeCloseTo(0.445739743239121, 12);
    expect(high).toBeCloseTo(4.554260256760879, 12);
  });

  it("have no error for fewer than two values", () => {
    expect(standardError([])).toBeNull();
    expect(standardError([1])).toBeNull();
  });
});

describe("combineEstimates", () => {
  const estimate = (mean: number, error: number | null) => ({
    mean,
    standard_error: error,
    interval: error === null ? null : { low: mean - 2 * error, high: mean + 2 * error },
  });

  it("adds errors and interval halves as squares, by weight", () => {
    const parts = [
      { weight: 0.5, estimate: estimate(0.2, 0.06) },
      { weight: 0.5, estimate: estimate(0.6, 0.08) },
    ];
    const combined = combineEstimates(0.4, parts);
    expect(combined.standard_error).toBeCloseTo(0.05, 14);
    expect(combined.interval?.low).toBeCloseTo(0.3, 14);
    expect(combined.interval?.high).toBeCloseTo(0.5, 14);
  });

  it("knows nothing when a part that counts knows nothing", () => {
    const parts = [
      { weight: 1, estimate: estimate(0.2, 0.1) },
      { weight: 0, estimate: estimate(0.5, null) },
    ];
    expect(combineEstimates(0.2, parts).standard_error).toBeCloseTo(0.1, 14);
    const unknown = parts.map((part) => ({ ...part, weight: 0.5 }));
    expect(combineEstimates(0.35, unknown)).toEqual({ mean: 0.35, standard_error: null, interval: null });
  });
});
