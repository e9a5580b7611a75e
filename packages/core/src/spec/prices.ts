import { z } from "zod";
import type { ModelUsage } from "../plugin/model.ts";

const price = z.number({ error: "must be a price in USD per million tokens, 0 or more" }).finite().nonnegative();

/** What a million tokens of a model cost, in USD. */
export const PriceFields = z.strictObject({
  input: price.describe("USD per million prompt tokens."),
  output: price.describe("USD per million completion tokens, reasoning among them."),
  cached_input: price.optional().describe("USD per million prompt tokens read from a cache. Default as input."),
  cache_write: price.optional().describe("USD per million prompt tokens written to a cache. Default as input."),
});
export type Price = Readonly<z.output<typeof PriceFields>>;

const models = z.string().regex(/^[^*]*\*?$/, "must be a model id, or the beginning of ids with * at the end");

/** Prices by model id, or by the beginning of ids with `*` at the end. */
export const PricesFields = z.record(models, PriceFields);
/** What one of several files says of prices: some fields, or null for none. */
export const PricesLayer = z.record(models, PriceFields.partial().nullable());
export type Prices = Readonly<Record<string, Price>>;

/** The price of a model: of its exact id, else of the longest beginning that fits; undefined when none is given. */
export function priceOf(prices: Prices | undefined, model: string): Price | undefined {
  if (prices === undefined) return undefined;
  if (Object.hasOwn(prices, model)) return prices[model];
  const fitting = Object.keys(prices).filter((name) => name.endsWith("*") && model.startsWith(name.slice(0, -1)));
  const longest = fitting.sort((left, right) => right.length - left.length)[0];
  return longest === undefined ? undefined : prices[longest];
}

/** What a call cost by a price, in USD; undefined when its endpoint did not say how many tokens it took. */
export function costOf(price: Price, usage: ModelUsage): number | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion, cache_tokens: cached } = usage;
  if (prompt + completion === 0) return undefined;
  const written = usage.cache_write_tokens ?? 0;
  const fresh = Math.max(0, prompt - cached - written);
  const millionths =
    fresh * price.input +
    cached * (price.cached_input ?? price.input) +
    written * (price.cache_write ?? price.input) +
    completion * price.output;
  return millionths / 1e6;
}
