import { priceModel } from "../attempt/index.ts";
import { type Prices, priceOf } from "../spec/index.ts";
import type { EngineDeps } from "./deps.ts";

/** The same dependencies, whose models (judges among them) say in each answer what it cost by these prices. */
export function withPrices(deps: EngineDeps, prices: Prices | undefined): EngineDeps {
  if (prices === undefined) return deps;
  return { ...deps, createModel: async (ask) => priceModel(await deps.createModel(ask), priceOf(prices, ask.spec.id)) };
}
