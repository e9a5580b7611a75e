import type { Model, ModelUsage } from "../plugin/index.ts";
import { costOf, type Price } from "../spec/prices.ts";

/** The same model, whose answers say what they cost by the configured price unless their endpoint said it itself. */
export function priceModel(model: Model, price: Price | undefined): Model {
  if (price === undefined) return model;
  return {
    async complete(ask) {
      const answer = await model.complete(ask);
      return { ...answer, usage: pricedUsage(answer.usage, price) };
    },
  };
}

function pricedUsage(usage: ModelUsage, price: Price): ModelUsage {
  if (usage.cost_source === "endpoint" || usage.cost_usd > 0) return usage;
  const cost = costOf(price, usage);
  return cost === undefined ? usage : { ...usage, cost_usd: cost, cost_source: "prices" };
}
