import { AgentCompassError } from "../error.ts";
import { type HierarchyNode, parseHierarchy } from "./hierarchy.ts";
import { shown } from "./metric-values.ts";

export const AGGREGATION_MODES = ["micro_weighted", "category_mean"] as const;
export type AggregationMode = (typeof AGGREGATION_MODES)[number];

/** How task values become a run's value: a mode, or a tree of categories, which wins. */
export type Aggregation =
  | { readonly mode: AggregationMode }
  | { readonly mode: "category_hierarchy"; readonly tree: HierarchyNode };

/** The two benchmark parameters as given. */
export type AggregationInput = { readonly mode?: unknown; readonly hierarchy?: unknown };

/**
 * Reads the benchmark parameters `aggregation_mode` (default micro_weighted) and `category_hierarchy` (an empty one
 * counts as absent). Throws `report.refused`.
 */
export function parseAggregation({ mode = "micro_weighted", hierarchy }: AggregationInput): Aggregation {
  const known = parseMode(mode);
  const tree = parseHierarchy(hierarchy);
  return tree ? { mode: "category_hierarchy", tree } : { mode: known };
}

/** The same from a benchmark's parameters, so that a mistake is found before any task runs. Throws `report.refused`. */
export function checkAggregation(params: Readonly<Record<string, unknown>>): AggregationInput {
  const input = { mode: params["aggregation_mode"], hierarchy: params["category_hierarchy"] };
  parseAggregation(input);
  return input;
}

function parseMode(mode: unknown): AggregationMode {
  const known = AGGREGATION_MODES.find((name) => name === mode);
  if (known) return known;
  throw new AgentCompassError(
    "report.refused",
    `aggregation_mode: found ${shown(mode)}, allowed are ${AGGREGATION_MODES.join(", ")}; for a tree of categories give category_hierarchy`,
  );
}
