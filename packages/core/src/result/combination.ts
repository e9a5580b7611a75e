import { AgentCompassError } from "../error.ts";
import type { Aggregation } from "./aggregation.ts";
import { exactMean, exactSum } from "./exact-sum.ts";
import type { HierarchyNode, NodeAggregation } from "./hierarchy.ts";
import type { Counts } from "./report.ts";

/** Tasks of a category or node: the values of those that have one, and how many there are of each state. */
export type Group = { readonly value: number | null; readonly counts: Counts; readonly parts: readonly Part[] };

/** A weight (of 1 in all) and the group it is given to; a mean over tasks has none. */
export type Part = { readonly weight: number; readonly group: Group };

export type Category = { readonly group: Group; readonly values: readonly number[] };

export const NO_COUNTS: Counts = { total: 0, evaluated: 0, error: 0, unavailable: 0, invalidated: 0 };
const EMPTY: Group = { value: null, counts: NO_COUNTS, parts: [] };

/** The group of a whole series, and of every node by path when there is a hierarchy (children before parents). */
export type Combination = { readonly root: Group; readonly nodes: ReadonlyMap<string, Group> };

/** Combines categories into a run's value. Throws `report.refused` when a weighted node has no positive weight left. */
export function combine(aggregation: Aggregation, categories: ReadonlyMap<string, Category>): Combination {
  const groups = [...categories.values()].map((category) => category.group);
  const nodes = new Map<string, Group>();
  if (aggregation.mode === "category_hierarchy") {
    return { root: combineNode(aggregation.tree, categories, nodes), nodes };
  }
  const counts = addCounts(groups.map((group) => group.counts));
  if (aggregation.mode === "category_mean") return { root: { ...meanOfGroups(groups), counts }, nodes };
  const values = [...categories.values()].flatMap((category) => category.values);
  return { root: { value: exactMean(values), counts, parts: [] }, nodes };
}

function combineNode(node: HierarchyNode, categories: ReadonlyMap<string, Category>, nodes: Map<string, Group>): Group {
  const group = node.group
    ? combineChildren(node.path, node.group, categories, nodes)
    : (categories.get(node.name)?.group ?? EMPTY);
  nodes.set(node.path, group);
  return group;
}

function combineChildren(
  path: string,
  { aggregation, children }: NonNullable<HierarchyNode["group"]>,
  categories: ReadonlyMap<string, Category>,
  nodes: Map<string, Group>,
): Group {
  const weighed = children.map((child) => ({ weight: child.weight, group: combineNode(child, categories, nodes) }));
  const counts = addCounts(weighed.map(({ group }) => group.counts));
  const valued = weighed.filter(({ group }) => group.value !== null);
  if (aggregation === "unweighted") return { ...meanOfGroups(valued.map(({ group }) => group)), counts };
  const parts = normalise(path, aggregation, valued);
  return { value: weightedMean(parts), counts, parts };
}

function meanOfGroups(groups: readonly Group[]): Omit<Group, "counts"> {
  const valued = groups.filter((group) => group.value !== null);
  const values = valued.map((group) => group.value ?? 0);
  return { value: exactMean(values), parts: valued.map((group) => ({ weight: 1 / valued.length, group })) };
}

function normalise(path: string, aggregation: NodeAggregation, parts: readonly Part[]): Part[] {
  const weightOf = (part: Part) => (aggregation === "weighted" ? part.weight : part.group.counts.evaluated);
  const total = exactSum(parts.map(weightOf));
  if (parts.length > 0 && total <= 0) {
    throw new AgentCompassError(
      "report.refused",
      `category_hierarchy ${path}: no child that has a value has a weight above 0; raise a weight`,
    );
  }
  return parts.map((part) => ({ weight: weightOf(part) / total, group: part.group }));
}

function weightedMean(parts: readonly Part[]): number | null {
  if (parts.length === 0) return null;
  const values = parts.map(({ group }) => group.value ?? 0);
  const mean = exactSum(parts.map(({ weight }, index) => weight * (values[index] ?? 0)));
  // Rounded weights may add up to a little more than 1, which would make a success rate above 1.
  return Math.min(Math.max(...values), Math.max(Math.min(...values), mean));
}

export function addCounts(counts: readonly Counts[]): Counts {
  const sum = (field: keyof Counts) => counts.reduce((total, item) => total + item[field], 0);
  return {
    total: sum("total"),
    evaluated: sum("evaluated"),
    error: sum("error"),
    unavailable: sum("unavailable"),
    invalidated: sum("invalidated"),
  };
}
