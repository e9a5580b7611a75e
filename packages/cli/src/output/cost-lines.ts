import type { OrchestrationResult } from "../sdk-surface.ts";
import { formatCost } from "./format.ts";

type Usage = OrchestrationResult["usage"];
type Spent = Pick<Usage, "cost_usd" | "cost_calls">;

/** What the model calls of a run cost, and who says so; nothing where no cost is known. */
export function costLines(usage: Usage): string[] {
  return [...costLine("Cost", usage), ...(usage.judge ? costLine("Cost of judges", usage.judge) : [])];
}

function costLine(title: string, { cost_usd: cost, cost_calls: calls }: Spent): string[] {
  const { endpoint, prices, unknown } = calls;
  if (cost === null || endpoint + prices === 0) return [];
  const said = [
    ...(endpoint > 0 ? [`by the endpoint for ${callsText(endpoint)}`] : []),
    ...(prices > 0 ? [`by the configured prices for ${callsText(prices)}`] : []),
    ...(unknown > 0 ? [`without ${callsText(unknown)} of unknown cost`] : []),
  ];
  return [`${title}: ${formatCost(cost)} (${said.join(", ")})`];
}

function callsText(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}
