import { describe, expect, it } from "vitest";
import type { Model, ModelUsage } from "../plugin/index.ts";
import { ModelFailure } from "../plugin/index.ts";
import { measureModel, newModelContact, newModelMeter } from "./measured-model.ts";
import { priceModel } from "./priced-model.ts";

const TOKENS = { prompt_tokens: 1_000_000, completion_tokens: 0, cache_tokens: 0, reasoning_tokens: null };
const PRICE = { input: 3, output: 0 };

/** Answers with these usages in order; a failure is thrown. */
function scripted(...script: (Partial<ModelUsage> | ModelFailure)[]): Model {
  let calls = 0;
  return {
    async complete() {
      const next = script[calls++];
      if (next instanceof ModelFailure) throw next;
      const usage = { ...TOKENS, cost_usd: 0, ...next };
      return {
        content: "",
        reasoning_content: null,
        tool_calls: null,
        stop_reason: null,
        usage,
        returned_model: null,
        latency_ms: 1,
      };
    },
  };
}

async function metered(model: Model, calls: number) {
  const meter = newModelMeter();
  const measured = measureModel(model, newModelContact(), meter);
  for (let call = 0; call < calls; call += 1) await measured.complete({ messages: [] }).catch(() => undefined);
  return meter;
}

describe("what calls cost", () => {
  const endpoint = { cost_usd: 0.5, cost_source: "endpoint" } as const;
  const free = { cost_usd: 0, cost_source: "endpoint" } as const;
  const unknown = { cost_source: "unknown" } as const;

  it.each([
    { case: "nothing was called", script: [], price: undefined, cost: 0, calls: [0, 0, 0] },
    { case: "the endpoint says it", script: [endpoint, endpoint], price: PRICE, cost: 1, calls: [2, 0, 0] },
    { case: "the endpoint says that it is free", script: [free], price: PRICE, cost: 0, calls: [1, 0, 0] },
    { case: "a price says it", script: [unknown, {}], price: PRICE, cost: 6, calls: [0, 2, 0] },
    { case: "both say some", script: [endpoint, unknown], price: PRICE, cost: 3.5, calls: [1, 1, 0] },
    { case: "nobody says it", script: [unknown, {}], price: undefined, cost: null, calls: [0, 0, 2] },
    {
      case: "it is known of some",
      script: [unknown, endpoint, unknown],
      price: undefined,
      cost: 0.5,
      calls: [1, 0, 2],
    },
    {
      case: "an endpoint of an earlier form says it",
      script: [{ cost_usd: 2 }],
      price: PRICE,
      cost: 2,
      calls: [1, 0, 0],
    },
    {
      case: "no tokens are told",
      script: [{ prompt_tokens: 0 }],
      price: PRICE,
      cost: null,
      calls: [0, 0, 1],
    },
  ])("is counted where $case", async ({ script, price, cost, calls }) => {
    const { usage } = await metered(priceModel(scripted(...script), price), script.length);
    expect(usage.cost_usd).toBe(cost);
    expect(usage.cost_calls).toEqual({ endpoint: calls[0], prices: calls[1], unknown: calls[2] });
  });

  it("is not asked of calls that failed", async () => {
    const failing = scripted(new ModelFailure("timeout", "late"), endpoint);
    const meter = await metered(failing, 2);
    expect(meter).toMatchObject({ calls: 2, latencyMs: [1], usage: { cost_usd: 0.5, cost_calls: { unknown: 0 } } });
  });

  it("is told to whoever calls", async () => {
    const answer = await priceModel(scripted({ cache_write_tokens: 5 }), PRICE).complete({ messages: [] });
    expect(answer.usage).toEqual({ ...TOKENS, cache_write_tokens: 5, cost_usd: 3, cost_source: "prices" });
  });
});
