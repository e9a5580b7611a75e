import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactMean, exactSum } from "./exact-sum.ts";

describe("exactSum", () => {
  it("loses nothing to rounding on the way", () => {
    expect(exactSum(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(exactSum([1e100, 1, -1e100])).toBe(1);
    expect(exactSum([2 ** 53, 1, 2 ** -60])).toBe(2 ** 53 + 2);
    expect(exactSum([2 ** 53, 1])).toBe(2 ** 53);
    expect(exactSum([])).toBe(0);
    expect(Object.is(exactSum([-0, -0]), 0)).toBe(true);
  });

  it("is the correctly rounded sum of numbers of very different size", () => {
    const value = fc
      .tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.integer({ min: -120, max: 60 }))
      .map(([digits, exponent]) => ({
        number: digits * 2 ** exponent,
        ticks: BigInt(digits) << BigInt(exponent + 120),
      }));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const ticks = values.reduce((total, item) => total + item.ticks, 0n);
        expect(exactSum(values.map((item) => item.number))).toBe(Number(ticks) / 2 ** 120 + 0);
      }),
    );
  });

  it("does not depend on the order", () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), { maxLength: 20 });
    fc.assert(
      fc.property(values, (items) => {
        const scaled = items.map((item) => item / 100);
        expect(exactSum(scaled.toReversed())).toBe(exactSum(scaled));
        expect(exactSum(scaled.toSorted())).toBe(exactSum(scaled));
      }),
    );
  });
});

describe("exactMean", () => {
  it("is null without values", () => {
    expect(exactMean([])).toBeNull();
    expect(exactMean([1, 0, 1])).toBe(2 / 3);
  });
});
