import { exact, includes, json, numeric, regex } from "./comparisons.ts";
import { judge } from "./judge.ts";
import { comparing, type Scorer } from "./scorer.ts";

export type { Comparison, Score, ScoreAsk, Scorer } from "./scorer.ts";
export { comparing, numeric };

/** Every scorer of the benchmark `jsonl`, by the id that its parameter `scorer` takes. */
export const SCORER_BY_ID = {
  exact: comparing(exact),
  numeric: comparing(numeric),
  includes: comparing(includes),
  regex: comparing(regex),
  json: comparing(json),
  judge,
} as const satisfies Record<string, Scorer>;
