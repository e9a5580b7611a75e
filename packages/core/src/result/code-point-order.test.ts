import fc from "fast-check";
import { expect, it } from "vitest";
import { compareCodePoints, inCodePointOrder } from "./code-point-order.ts";

it("inCodePointOrder sorts as compareCodePoints does, surrogates and all", () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "B", "é", "\uffe5", "\u{1f600}", "\ud800") }));
  fc.assert(
    fc.property(texts, (given) => {
      expect(inCodePointOrder(given)).toEqual([...given].sort(compareCodePoints));
    }),
  );
  expect(inCodePointOrder(["\u{1f600}", "\uffe5"])).toEqual(["\uffe5", "\u{1f600}"]);
});
