import { describe, expect, it } from "vitest";
import { costLines } from "./cost-lines.ts";

const TOKENS = { prompt: 1, completion: 1, cache: 0, cache_write: 0, reasoning: null, total: 2 };
const used = (cost_usd: number | null, endpoint: number, prices: number, unknown: number) => ({
  calls: 9,
  tokens: TOKENS,
  cost_usd,
  cost_calls: { endpoint, prices, unknown },
});

describe("the lines on cost", () => {
  it.each([
    [used(0.5, 1, 0, 0), "Cost: $0.5000 (by the endpoint for 1 call)"],
    [used(12.345, 0, 3, 0), "Cost: $12.35 (by the configured prices for 3 calls)"],
    [
      used(0.5, 1, 2, 3),
      "Cost: $0.5000 (by the endpoint for 1 call, by the configured prices for 2 calls, without 3 calls of unknown cost)",
    ],
    [used(0, 2, 0, 0), "Cost: $0.00 (by the endpoint for 2 calls)"],
  ])("say who says it", (usage, line) => {
    expect(costLines(usage)).toEqual([line]);
  });

  it.each([{ usage: used(null, 0, 0, 4) }, { usage: used(0, 0, 0, 0) }])(
    "are none where nothing is known",
    ({ usage }) => {
      expect(costLines(usage)).toEqual([]);
    },
  );

  it("tell judges apart", () => {
    const lines = costLines({ ...used(null, 0, 0, 1), judge: used(0.25, 0, 5, 0) });
    expect(lines).toEqual(["Cost of judges: $0.2500 (by the configured prices for 5 calls)"]);
  });
});
