type Json = Readonly<Record<string, unknown>>;

/** What the table shows of a result; null where the result does not say. */
export type ResultFacts = {
  readonly metric: string | null;
  readonly score: number | null;
  /** The number that leaves invalidated tasks out, where there is no official score. */
  readonly reference: number | null;
  readonly interval: readonly [number, number] | null;
  readonly evaluated: number | null;
  readonly total: number | null;
  readonly errors: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** Model calls. */
  readonly calls: number | null;
};

/** Reads the headline series, its interval and the totals of a result (reference 5.6). */
export function resultFacts(result: Json): ResultFacts {
  const metrics = object(result["metrics"]);
  const headline = list(metrics["series"]).find((series) => series["role"] === "headline") ?? {};
  const counts = object(headline["counts"]);
  const statistics = object(metrics["statistics"]);
  return {
    metric: text(headline["series_id"]),
    score: number(headline["value"]),
    reference: number(headline["reference_value"]),
    interval: intervalOf(object(object(statistics["series"])[text(headline["series_id"]) ?? ""])),
    evaluated: number(counts["evaluated"]),
    total: number(counts["total"]),
    errors: number(counts["error"]),
    tokens: number(object(statistics["tokens"])["total"]),
    costUsd: number(statistics["cost_usd"]),
    calls: number(statistics["calls"]),
  };
}

function intervalOf(statistics: Json): readonly [number, number] | null {
  const { low, high } = object(statistics["interval"]);
  return typeof low === "number" && typeof high === "number" ? [low, high] : null;
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
