import { AgentCompassError } from "@agentcompass/core";
import { computeReport, type ReportInput } from "@agentcompass/core/result";

/** One case of metrics.json: made-up attempt results and the report that AgentCompass computes from them. */
export type MetricsCase = {
  readonly name: string;
  readonly benchmark: { readonly metrics: ReportInput["contract"] };
  readonly plan: ReportInput["plan"];
  readonly aggregation: ReportInput["aggregation"];
  readonly tasks: ReportInput["tasks"];
  readonly expect: Readonly<Record<string, unknown>> & {
    readonly refused?: boolean;
    readonly names?: readonly string[];
  };
};

/** Fields of numbers that agree within 1e-12 relative; every other number agrees exactly. */
const ROUNDED = /(^|\.)(value|reference_value|aggregation_weight)$/;

/** Runs a case and returns where our report differs, one line each; empty when it agrees. */
export function runMetricsCase(given: MetricsCase): string[] {
  const { benchmark, plan, aggregation, tasks, expect } = given;
  try {
    const report = computeReport({ contract: benchmark.metrics, plan, aggregation, tasks });
    if (expect.refused) return ["a report came out, but it must be refused"];
    return differences("", withoutStatistics(report), expect);
  } catch (error) {
    if (!AgentCompassError.isInstance(error)) throw error;
    return refusalDifferences(error, expect);
  }
}

function refusalDifferences(error: AgentCompassError, expect: MetricsCase["expect"]): string[] {
  if (!expect.refused) return [`refused: ${error.message}`];
  const missing = (expect.names ?? []).filter((name) => !error.message.includes(name));
  const lines = error.message.includes("\n") ? ["the message has more than one line"] : [];
  return [...lines, ...missing.map((name) => `the message does not name ${name}: ${error.message}`)];
}

function withoutStatistics(report: object): object {
  return Object.fromEntries(Object.entries(report).filter(([key]) => key !== "statistics"));
}

function differences(path: string, ours: unknown, expected: unknown): string[] {
  if (isRecord(ours) && isRecord(expected) && Array.isArray(ours) === Array.isArray(expected)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(expected)]);
    return [...keys].flatMap((key) => differences(path ? `${path}.${key}` : key, ours[key], expected[key]));
  }
  if (Object.is(ours, expected) || agreeWhenRounded(path, ours, expected)) return [];
  return [`${path}: ours ${JSON.stringify(ours)}, expected ${JSON.stringify(expected)}`];
}

function agreeWhenRounded(path: string, ours: unknown, expected: unknown): boolean {
  if (typeof ours !== "number" || typeof expected !== "number" || !ROUNDED.test(path)) return false;
  return Math.abs(ours - expected) <= 1e-12 * Math.max(Math.abs(ours), Math.abs(expected));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
