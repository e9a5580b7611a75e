import { describe, expect, it } from "vitest";
import { type Measurement, measurementDocument, parseMeasurement } from "./measurement.ts";

const MEASUREMENT: Measurement = {
  task_id: "t",
  attempt: 2,
  waiting_ms: 5,
  working_ms: 10,
  calls: 1,
  latency_ms: [7.5],
  usage: {
    prompt_tokens: 1,
    completion_tokens: 2,
    cache_tokens: 0,
    cache_write_tokens: 1,
    reasoning_tokens: null,
    cost_usd: 0.5,
    cost_calls: { endpoint: 0, prices: 1, unknown: 0 },
  },
};

describe("measurement.json", () => {
  it("is read as it was written, unknown keys ignored", () => {
    const document = measurementDocument(MEASUREMENT);
    expect(document.schema_version).toBe("agentcompass-ts.measurement.v1");
    expect(parseMeasurement({ ...JSON.parse(JSON.stringify(document)), later: 1 })).toEqual(MEASUREMENT);
  });

  it.each([
    { case: "a cost was the endpoint's", cost: 0.5, cost_usd: 0.5, cost_calls: { endpoint: 1, prices: 0, unknown: 0 } },
    {
      case: "no cost was none that is known",
      cost: 0,
      cost_usd: null,
      cost_calls: { endpoint: 0, prices: 0, unknown: 1 },
    },
  ])("of an earlier version: $case", ({ cost, cost_usd, cost_calls }) => {
    const { cost_calls: _calls, ...usage } = MEASUREMENT.usage;
    const document = { ...measurementDocument(MEASUREMENT), usage: { ...usage, cost_usd: cost } };
    expect(parseMeasurement(document)?.usage).toEqual({ ...usage, cost_usd, cost_calls });
  });

  it("is none when it is of another version or damaged", () => {
    const document = measurementDocument(MEASUREMENT);
    expect(parseMeasurement({ ...document, schema_version: "agentcompass-ts.measurement.v2" })).toBeUndefined();
    expect(parseMeasurement({ ...document, working_ms: -1 })).toBeUndefined();
    expect(parseMeasurement(null)).toBeUndefined();
  });
});
