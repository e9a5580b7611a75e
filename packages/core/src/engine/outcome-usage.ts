import {
  type CostCalls,
  isCostOpen,
  judgesOf,
  type Measurement,
  type UsageTotals,
  usageTotals,
} from "../result/index.ts";

/** What was used: by the models under evaluation, and apart by those that scored. */
export type OutcomeUsage = UsageTotals & {
  /** Absent when no model scored. */
  readonly judge?: UsageTotals;
};

/** What the attempts of a request used, those taken from an earlier run and discarded executions included. */
export function outcomeUsage(measurements: readonly Measurement[]): OutcomeUsage {
  const judges = judgesOf(measurements);
  return { ...usageTotals(measurements), ...(judges.length > 0 && { judge: usageTotals(judges) }) };
}

/** The sum over requests. */
export function sumOfUsage(usages: readonly OutcomeUsage[]): OutcomeUsage {
  const judges = usages.flatMap(({ judge }) => (judge ? [judge] : []));
  return { ...sumOfTotals(usages), ...(judges.length > 0 && { judge: sumOfTotals(judges) }) };
}

function sumOfTotals(totals: readonly UsageTotals[]): UsageTotals {
  const sum = (read: (one: UsageTotals) => number) => totals.reduce((so, one) => so + read(one), 0);
  const known = (read: (one: UsageTotals) => number | null) => totals.flatMap((one) => read(one) ?? []);
  const calls = (source: keyof CostCalls) => sum((one) => one.cost_calls[source]);
  const reasoning = known((one) => one.tokens.reasoning);
  const sources = { endpoint: calls("endpoint"), prices: calls("prices"), unknown: calls("unknown") };
  const costs = known((one) => one.cost_usd);
  const made = sum((one) => one.calls);
  return {
    calls: made,
    tokens: {
      prompt: sum((one) => one.tokens.prompt),
      completion: sum((one) => one.tokens.completion),
      cache: sum((one) => one.tokens.cache),
      cache_write: sum((one) => one.tokens.cache_write),
      reasoning: reasoning.length > 0 ? reasoning.reduce((so, one) => so + one, 0) : null,
      total: sum((one) => one.tokens.total),
    },
    cost_usd: isCostOpen(made, sources) ? null : costs.reduce((so, one) => so + one, 0),
    cost_calls: sources,
  };
}
