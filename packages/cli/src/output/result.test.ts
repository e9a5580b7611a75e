import { describe, expect, it } from "vitest";
import { fakeHost, orchestrated } from "../../testing/fake-host.ts";
import { printResult } from "./result.ts";
import { resultFacts } from "./result-facts.ts";

const RESULT = {
  metrics: {
    series: [
      { series_id: "cost.native@1", role: "auxiliary", value: 3 },
      {
        series_id: "correct.native@1",
        role: "headline",
        value: 0.75,
        reference_value: null,
        counts: { total: 5, evaluated: 4, error: 1 },
      },
    ],
    statistics: {
      tokens: { total: 12_345 },
      cost_usd: 0.5,
      series: { "correct.native@1": { interval: { low: 0.3, high: 0.95 } } },
    },
  },
};

const seconds = () => 61;

describe("the result of a run", () => {
  it("is one line a request with score, interval, counts, tokens, cost and time", () => {
    const host = fakeHost();
    const result = orchestrated({ run: "completed" }, { result: RESULT });
    printResult(host, { result, elapsed: seconds, json: false, value: null });
    const [, , row, place] = host.out().split("\n");
    expect(row?.split(/ {2,}/)).toEqual([
      "run",
      "completed",
      "correct.native@1",
      "0.7500",
      "0.3000 to 0.9500",
      "4/5",
      "1",
      "12.3k",
      "$0.5000",
      "1 m 01 s",
    ]);
    expect(place).toBe("Results: results/run");
    expect(host.err()).toBe("");
  });

  it.each([
    { case: "a dash without calls", statistics: { cost_usd: 0, calls: 0 }, cost: "-" },
    { case: "a dash where it is unknown", statistics: { cost_usd: null, calls: 2 }, cost: "-" },
    { case: "nothing where it was free", statistics: { cost_usd: 0, calls: 2 }, cost: "$0.00" },
  ])("has as cost $case", ({ statistics, cost }) => {
    const host = fakeHost();
    const result = orchestrated({ run: "completed" }, { result: { metrics: { statistics } } });
    printResult(host, { result, elapsed: seconds, json: false, value: null });
    expect(host.out().split("\n")[2]?.split(/ {2,}/).at(-2)).toBe(cost);
  });

  it.each([{ json: false }, { json: true }])("ends with cost and places, beside JSON on stderr ($json)", ({ json }) => {
    const host = fakeHost();
    const usage = { ...orchestrated({}).usage, cost_usd: 0.5, cost_calls: { endpoint: 0, prices: 2, unknown: 0 } };
    const result = orchestrated({ run: "completed" }, { result: RESULT, usage });
    printResult(host, { result, elapsed: seconds, json, value: RESULT });
    const last = "Cost: $0.5000 (by the configured prices for 2 calls)\nResults: results/run\n";
    expect(json ? host.err() : host.out()).toMatch(new RegExp(`${last.replace(/[$()]/g, "\\$&")}$`));
  });

  it("names the directory of each of several requests and shows a dash for what is not known", () => {
    const host = fakeHost();
    const result = orchestrated({ a: "completed", b: "failed" });
    printResult(host, { result, elapsed: () => null, json: false, value: null });
    expect(host.out()).toContain("b        failed     -           -              -  -       -       -     -     -\n");
    expect(host.out()).toMatch(/Results of a: results\/a\nResults of b: results\/b\n$/);
  });

  it("is nothing but JSON on stdout when JSON is asked for", () => {
    const host = fakeHost();
    const result = orchestrated({ run: "completed" }, { result: RESULT });
    printResult(host, { result, elapsed: seconds, json: true, value: RESULT });
    expect(JSON.parse(host.out())).toEqual(RESULT);
    expect(host.err()).toBe("Results: results/run\n");
  });

  it("shows an unofficial score in brackets", () => {
    const failed = { metrics: { series: [{ role: "headline", value: null, reference_value: 0.5 }] } };
    const host = fakeHost();
    const result = orchestrated({ run: "failed" }, { result: failed });
    printResult(host, { result, elapsed: seconds, json: false, value: null });
    expect(host.out()).toContain("(0.5000)");
  });

  it("reads nothing from a result that is not like one", () => {
    expect(Object.values(resultFacts({ metrics: { series: [7, null] } })).every((fact) => fact === null)).toBe(true);
  });
});
