import { describe, expect, it } from "vitest";
import { type Measurement, measurementDocument, parseMeasurement } from "./measurement.ts";

const MEASUREMENT: Measurement = {
  task_id: "t",
  attempt: 2,
  waiting_ms: 5,
  working_ms: 10,
  calls: 1,
  latency_ms: [7.5],
  usage: { prompt_tokens: 1, completion_tokens: 2, cache_tokens: 0, reasoning_tokens: null, cost_usd: 0 },
};

describe("measurement.json", () => {
  it("is read as it was written, unknown keys ignored", () => {
    const document = measurementDocument(MEASUREMENT);
    expect(document.schema_version).toBe("agentcompass-ts.measurement.v1");
    expect(parseMeasurement({ ...JSON.parse(JSON.stringify(document)), later: 1 })).toEqual(MEASUREMENT);
  });

  it("is none when it is of another version or damaged", () => {
    const document = measurementDocument(MEASUREMENT);
    expect(parseMeasurement({ ...document, schema_version: "agentcompass-ts.measurement.v2" })).toBeUndefined();
    expect(parseMeasurement({ ...document, working_ms: -1 })).toBeUndefined();
    expect(parseMeasurement(null)).toBeUndefined();
  });
});
