import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, type Price, priceOf } from "./prices.ts";

const PRICE: Price = { input: 2, output: 10 };
const used = (prompt: number, completion: number, cached = 0, written?: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  cache_tokens: cached,
  reasoning_tokens: null,
  cost_usd: 0,
  ...(written !== undefined && { cache_write_tokens: written }),
});

describe("the price of a model", () => {
  it.each([
    ["m", 1],
    ["m-mini", 3],
    ["m-mini-2", 3],
    ["m-large", 2],
    ["other", undefined],
    ["M", undefined],
  ])("%s is %s", (model, input) => {
    const prices = { m: { input: 1, output: 0 }, "m-*": { input: 2, output: 0 }, "m-mini*": { input: 3, output: 0 } };
    expect(priceOf(prices, model)?.input).toBe(input);
  });

  it("is none without prices, and nothing that every mapping has", () => {
    expect(priceOf(undefined, "m")).toBeUndefined();
    expect(priceOf({}, "toString")).toBeUndefined();
  });
});

describe("the cost of a call", () => {
  it.each([
    ["prompt and completion", PRICE, used(1_000_000, 500_000), 7],
    ["a cache at the price of the prompt unless it has its own", PRICE, used(1_000_000, 0, 500_000, 200_000), 2],
    ["reads from a cache", { ...PRICE, cached_input: 0.2 }, used(1_000_000, 0, 500_000), 1.1],
    ["writes to a cache", { ...PRICE, cache_write: 4 }, used(1_000_000, 0, 0, 500_000), 3],
    ["more cached than asked, which some endpoints say", { ...PRICE, cached_input: 1 }, used(10, 0, 1_000_000), 1],
  ])("counts %s", (_what, price, usage, cost) => {
    expect(costOf(price, usage)).toBeCloseTo(cost, 12);
  });

  it("is unknown where the endpoint said nothing of tokens", () => {
    expect(costOf(PRICE, used(0, 0))).toBeUndefined();
  });

  it("is the sum of its parts, however the tokens are split into calls", () => {
    const tokens = fc.nat(10_000_000);
    fc.assert(
      fc.property(fc.array(fc.tuple(tokens, tokens), { minLength: 1 }), (calls) => {
        const parts = calls.map(([prompt, completion]) => costOf(PRICE, used(prompt, completion)) ?? 0);
        const sum = (index: 0 | 1) => calls.reduce((so, call) => so + call[index], 0);
        const whole = costOf(PRICE, used(sum(0), sum(1))) ?? 0;
        expect(whole).toBeCloseTo(
          parts.reduce((so, part) => so + part, 0),
          6,
        );
      }),
    );
  });
});
