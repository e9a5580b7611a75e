import { AgentCompassError } from "../error.ts";
import type { MetricValue } from "./attempt-result.ts";
import type { MetricContract, MetricDeclaration } from "./metric-contract.ts";

/**
 * The metrics of one attempt, checked against what the benchmark declares: known ids, a strict boolean for
 * binary_success, a finite number for scalar. Throws `report.refused`; `where` begins the message.
 */
export function parseMetrics(
  contract: MetricContract,
  metrics: Readonly<Record<string, unknown>>,
  where = "metrics",
): Readonly<Record<string, MetricValue>> {
  const entries = Object.entries(metrics).map(([id, value]): [string, MetricValue] => {
    const declared = contract.find((declaration) => declaration.id === id);
    if (!declared) throw undeclared(contract, id, where);
    return [id, metricValue(declared, value, where)];
  });
  return Object.fromEntries(entries);
}

function metricValue(declared: MetricDeclaration, value: unknown, where: string): MetricValue {
  if (declared.kind === "binary_success" && typeof value === "boolean") return value;
  if (declared.kind === "scalar" && typeof value === "number" && Number.isFinite(value)) return value;
  const allowed = declared.kind === "scalar" ? "a finite number" : "true or false";
  throw new AgentCompassError(
    "report.refused",
    `${where}.${declared.id}: found ${shown(value)}, but a ${declared.kind} metric must be ${allowed}; correct what the benchmark reports`,
  );
}

function undeclared(contract: MetricContract, id: string, where: string): AgentCompassError {
  const known = contract.map((declaration) => declaration.id).join(", ");
  return new AgentCompassError(
    "report.refused",
    `${where}.${id}: the benchmark declares no such metric (declared: ${known}); declare it or leave it out`,
  );
}

/** A value as one short line for a message. */
export function shown(value: unknown): string {
  const text = typeof value === "number" || value === undefined ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** What a metric is called in reports: the declared label, else its id in title case. */
export function metricLabel(declaration: MetricDeclaration): string {
  return declaration.label ?? titleCase(declaration.id.replaceAll("_", " "));
}

/** A capital after every non-letter, the rest small. */
function titleCase(text: string): string {
  return text.replaceAll(/[A-Za-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}
