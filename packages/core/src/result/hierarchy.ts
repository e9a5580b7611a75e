import { AgentCompassError } from "../error.ts";
import { trimBlanks } from "./category.ts";
import { shown } from "./metric-values.ts";

export const NODE_AGGREGATIONS = ["unweighted", "weighted", "weighted_by_count"] as const;
export type NodeAggregation = (typeof NODE_AGGREGATIONS)[number];

/** A node of `category_hierarchy`: a leaf is a category, a group has children. */
export type HierarchyNode = {
  /** From the root, names joined by `/`, with `~` and `/` of names escaped as `~0` and `~1`. */
  readonly path: string;
  readonly name: string;
  readonly weight: number;
  readonly group: { readonly aggregation: NodeAggregation; readonly children: readonly HierarchyNode[] } | null;
};

const ROOT = "overall";
const FIELDS = ["aggregation", "children", "weight"];

/**
 * Reads a `category_hierarchy`: one root `overall`, groups with an aggregation and children, leaves that name a
 * category once. Undefined when it is absent, null or empty. Throws `report.refused` with the node's path.
 */
export function parseHierarchy(hierarchy: unknown): HierarchyNode | undefined {
  if (isEmpty(hierarchy)) return undefined;
  if (!isObject(hierarchy)) throw refused("", `found ${shown(hierarchy)}, allowed is an object with the root ${ROOT}`);
  const names = Object.keys(hierarchy);
  if (names.length > 1 || names[0] !== ROOT) {
    throw refused("", `found ${names.join(", ")} at the top, allowed is the single root ${ROOT}`);
  }
  return parseNode(ROOT, ROOT, hierarchy[ROOT], { weighted: false, leaves: new Set() });
}

type Surroundings = {
  /** Whether the parent needs a weight here; where it does not, a weight may be absent but not be wrong. */
  readonly weighted: boolean;
  readonly leaves: Set<string>;
};

function parseNode(path: string, name: string, node: unknown, { weighted, leaves }: Surroundings): HierarchyNode {
  if (!isObject(node)) throw refused(path, `found ${shown(node)}, allowed is an object with ${FIELDS.join(", ")}`);
  refuseBadName(path, name);
  refuseUnknownFields(path, node);
  const weight = parseWeight(path, node["weight"], weighted);
  const aggregation = parseNodeAggregation(path, node);
  if (aggregation === "leaf") {
    refuseRepeatedLeaf(path, name, leaves);
    return { path, name, weight, group: null };
  }
  const inside = { weighted: aggregation === "weighted", leaves };
  const children = Object.entries(parseChildren(path, node["children"], aggregation)).map(([child, content]) =>
    parseNode(`${path}/${escapeName(child)}`, child, content, inside),
  );
  return { path, name, weight, group: { aggregation, children } };
}

function parseNodeAggregation(path: string, node: Record<string, unknown>): NodeAggregation | "leaf" {
  const { aggregation = "leaf", children } = node;
  if (aggregation === "leaf" && isEmpty(children)) return "leaf";
  if (aggregation === "leaf") {
    throw refused(path, `a leaf cannot have children; set aggregation to one of ${NODE_AGGREGATIONS.join(", ")}`);
  }
  const known = NODE_AGGREGATIONS.find((name) => name === aggregation);
  if (known) return known;
  const allowed = `allowed are ${NODE_AGGREGATIONS.join(", ")} with children, leaf without`;
  throw refused(path, `aggregation: found ${shown(aggregation)}, ${allowed}`);
}

function parseChildren(path: string, children: unknown, aggregation: string): Record<string, unknown> {
  if (isObject(children) && !isEmpty(children)) return children;
  const found = isEmpty(children) ? "none" : shown(children);
  throw refused(path, `children: found ${found}, but aggregation ${aggregation} needs an object of nodes by name`);
}

function parseWeight(path: string, weight: unknown, needed: boolean): number {
  if (!needed && (weight === undefined || weight === null)) return 1;
  if (typeof weight === "number" && Number.isFinite(weight) && weight >= 0) return weight;
  const who = needed ? "every child of a weighted node needs" : "allowed is";
  throw refused(path, `weight: found ${shown(weight)}, ${who} a number of at least 0`);
}

function refuseRepeatedLeaf(path: string, name: string, leaves: Set<string>): void {
  if (leaves.has(name))
    throw refused(path, `the category ${name} is already a leaf elsewhere; name each category once`);
  leaves.add(name);
}

function refuseBadName(path: string, name: string): void {
  if (name !== "" && name === trimBlanks(name)) return;
  throw refused(path, `the name ${shown(name)} is empty or has surrounding blanks; names are trimmed categories`);
}

/** AgentCompass takes whatever Python holds for false as absent. */
function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}

function refuseUnknownFields(path: string, node: Record<string, unknown>): void {
  const unknown = Object.keys(node).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0) throw refused(path, `unknown field ${unknown.join(", ")}; allowed are ${FIELDS.join(", ")}`);
}

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function refused(path: string, text: string): AgentCompassError {
  return new AgentCompassError("report.refused", `category_hierarchy${path && ` ${path}`}: ${text}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
