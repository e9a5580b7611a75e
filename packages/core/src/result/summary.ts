import { type IssueGroup, issueSection } from "./issue-summary.ts";
import { markdownCode, markdownTable, markdownText } from "./markdown.ts";
import type { Breakdown, Report, Series } from "./report.ts";
import { seriesLabel, sortedNames, valueText } from "./series-text.ts";
import type { Statistics } from "./statistics.ts";
import { statisticsSections } from "./statistics-summary.ts";

export type SummaryInput = {
  readonly benchmarkId: string;
  readonly model: string;
  readonly report: Report;
  /** Absent leaves our sections on confidence, tokens, latency and time out. */
  readonly statistics?: Statistics;
  /** Absent or empty leaves the section on issues out. */
  readonly issues?: readonly IssueGroup[];
  /** One line each, such as `partial: 3 of 10 tasks`. */
  readonly notes?: readonly string[];
};

const FAILED =
  "**Evaluation failed:** no official score. Values labelled reference exclude all tasks with final FATAL issues.";

/** The text of summary.md: AgentCompass's sections as it writes them, then notes and our own sections. */
export function renderSummary({
  benchmarkId,
  model,
  report,
  statistics,
  issues = [],
  notes = [],
}: SummaryInput): string {
  const lines = [...header(benchmarkId, model, report), ...(report.k === 1 ? singleAttempt(report) : repeated(report))];
  if (report.evaluation_failed) lines.push("", FAILED);
  if (notes.length > 0) lines.push("", "## Notes", "", ...notes.map((note) => `- ${markdownText(note)}`));
  lines.push(...issueSection(issues));
  if (statistics) lines.push(...statisticsSections(report, statistics));
  return `${lines.join("\n")}\n`;
}

function header(benchmarkId: string, model: string, report: Report): string[] {
  const counts = report.series[0]?.counts;
  return [
    `# ${markdownText(benchmarkId.toUpperCase())} Evaluation Results`,
    "",
    `**Model:** ${markdownCode(model)}`,
    "",
    `**Total:** ${counts?.total ?? 0}`,
    `**Evaluated:** ${counts?.evaluated ?? 0}/${counts?.total ?? 0}`,
    `**Invalidated:** ${counts?.invalidated ?? 0}`,
    `**Error:** ${counts?.error ?? 0}`,
    "",
  ];
}

function singleAttempt({ series }: Report): string[] {
  const rows = series.map((item) => [markdownText(item.metric_id), valueText(item)]);
  return [
    "## Metrics",
    "",
    ...markdownTable(["Metric", "Value"], rows),
    ...details("category", series, (item) => item.categories),
    ...details("hierarchy", series, (item) => item.hierarchy),
  ];
}

type Parts = Readonly<Record<string, Breakdown>>;

/** A table of the parts of every series; counts are those of the first. */
function details(title: string, series: readonly Series[], partsOf: (series: Series) => Parts): string[] {
  const counted = series[0] ? partsOf(series[0]) : {};
  const names = sortedNames(counted);
  if (names.length === 0) return [];
  const rows = names.map((name) => {
    const values = series.map((item) => {
      const part = partsOf(item)[name];
      return part ? valueText(part) : "-";
    });
    const counts = counted[name]?.counts;
    return [markdownText(name), ...values, ...[counts?.total, counts?.evaluated, counts?.error].map(String)];
  });
  const metrics = series.map((item) => markdownText(item.metric_id));
  const headers = [title, ...metrics, "total", "evaluated", "error"];
  return ["", `## Details: ${title}`, "", ...markdownTable(headers, rows)];
}

const REPEATED_HEADERS = [
  "Metric",
  "Role",
  "Reducer",
  "Formula",
  "Value",
  "Evaluated",
  "Error",
  "Unavailable",
  "Total",
];

function repeated({ k, strategy, aggregation, series }: Report): string[] {
  const rows = series.map((item) => {
    const { evaluated, error, unavailable, total } = item.counts;
    const counts = [evaluated, error, unavailable, total].map(String);
    return [markdownText(seriesLabel(item)), item.role, item.reducer, item.aggregation, valueText(item), ...counts];
  });
  return [
    `**Attempt plan:** \`k=${k}\`, strategy \`${strategy}\`, aggregation \`${aggregation}\``,
    "",
    "## Metrics",
    "",
    ...markdownTable(REPEATED_HEADERS, rows),
    "",
    "Full metric data: [metrics.json](metrics.json)",
  ];
}
