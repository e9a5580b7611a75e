import type { ModelUsage } from "@agentcompass/core/plugin";
import { amountOf, type Fields } from "./fields.ts";

/** What an endpoint itself says in the usage of an answer that the call cost, in USD. */
export function reportedCost(usage: Fields): Pick<ModelUsage, "cost_usd" | "cost_source"> {
  const cost = amountOf(usage["cost"]);
  return cost === null ? { cost_usd: 0, cost_source: "unknown" } : { cost_usd: cost, cost_source: "endpoint" };
}
