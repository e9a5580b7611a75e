import { markdownTable, markdownText } from "./markdown.ts";
import type { CostCalls } from "./measurement.ts";
import { fourDecimals } from "./number-text.ts";
import type { Report } from "./report.ts";
import type { Certainty } from "./series-statistics.ts";
import { seriesLabel, sortedNames } from "./series-text.ts";
import type { Statistics } from "./statistics.ts";
import type { UsageTotals } from "./usage-statistics.ts";

/** The lines of our own sections of summary.md. */
export function statisticsSections(report: Report, statistics: Statistics): string[] {
  return [
    ...confidence(report, statistics),
    ...tokensAndCost(statistics),
    ...judgeUsage(statistics),
    ...latency(statistics),
    ...time(statistics),
  ];
}

const CONFIDENCE_HEADERS = ["Metric", "Tasks", "Value", "Standard error", "95 % interval", "n"];

function confidence(report: Report, statistics: Statistics): string[] {
  const rows = report.series.flatMap((series) => {
    const found = statistics.series[series.series_id];
    if (!found) return [];
    const label = markdownText(seriesLabel(series));
    const row = (name: string, certainty: Certainty) => [label, name, ...certaintyCells(certainty, found.reference)];
    const parts = (title: string, of: Readonly<Record<string, Certainty>>) =>
      sortedNames(of).flatMap((name) => (of[name] ? [row(markdownText(`${title} ${name}`), of[name])] : []));
    return [row("all", found), ...parts("category", found.categories), ...parts("hierarchy", found.hierarchy)];
  });
  return ["", "## Confidence", "", ...markdownTable(CONFIDENCE_HEADERS, rows)];
}

function certaintyCells({ n, mean, standard_error, interval }: Certainty, reference: boolean): string[] {
  const value = mean === null ? "-" : fourDecimals(mean) + (reference ? " (reference)" : "");
  const error = standard_error === null ? "-" : fourDecimals(standard_error);
  const range = interval === null ? "-" : `${fourDecimals(interval.low)} to ${fourDecimals(interval.high)}`;
  return [value, error, range, String(n)];
}

const USAGE_HEADERS = [
  "Calls",
  "Prompt",
  "of it cached",
  "written to cache",
  "Completion",
  "of it reasoning",
  "Total tokens",
  "Cost (USD)",
];

function tokensAndCost(statistics: Statistics): string[] {
  const title = ["", "## Tokens and cost", ""];
  return statistics.calls === 0 ? [...title, "No model call was made."] : [...title, ...usageLines(statistics)];
}

function judgeUsage({ judge }: Statistics): string[] {
  if (!judge) return [];
  const lead = "Models that scored answers; their tokens and cost are not in those above.";
  return ["", "## Judge", "", lead, "", ...usageLines(judge)];
}

function usageLines({ calls, tokens, cost_usd, cost_calls }: UsageTotals): string[] {
  const reasoning = tokens.reasoning === null ? "-" : String(tokens.reasoning);
  const counts = [calls, tokens.prompt, tokens.cache, tokens.cache_write, tokens.completion].map(String);
  const row = [...counts, reasoning, String(tokens.total), cost_usd === null ? "-" : fourDecimals(cost_usd)];
  return [...markdownTable(USAGE_HEADERS, [row]), "", costNote(cost_calls)];
}

/** Who says what the answered calls cost. */
function costNote({ endpoint, prices, unknown }: CostCalls): string {
  const parts = [
    ...(endpoint > 0 ? [`${endpoint} by their endpoint`] : []),
    ...(prices > 0 ? [`${prices} by the configured prices`] : []),
    ...(unknown > 0 ? [`${unknown} unknown, not in the sum`] : []),
  ];
  return parts.length === 0 ? "No call was answered." : `Cost of answered calls: ${parts.join(", ")}.`;
}

function latency({ latency_ms: figures }: Statistics): string[] {
  const title = ["", "## Latency", ""];
  if (figures.count === 0) return [...title, "No model call was answered."];
  const milliseconds = [figures.mean, figures.p50, figures.p90, figures.p95, figures.p99, figures.max];
  const row = [String(figures.count), ...milliseconds.map((value) => (value === null ? "-" : value.toFixed(1)))];
  const headers = ["Answers", "Mean (ms)", "p50 (ms)", "p90 (ms)", "p95 (ms)", "p99 (ms)", "Max (ms)"];
  return [...title, ...markdownTable(headers, [row])];
}

function time({ time: { waiting_seconds, working_seconds } }: Statistics): string[] {
  const headers = ["Waiting (s)", "Working (s)"];
  const row = [waiting_seconds.toFixed(1), working_seconds.toFixed(1)];
  return [
    "",
    "## Time",
    "",
    "Sums over attempts, which may have run side by side.",
    "",
    ...markdownTable(headers, [row]),
  ];
}
