/** Blanks that a header needs beyond its text. */
const HEADER_PADDING = 2;

/** The lines of a table whose columns are as wide as their longest cell, counted in characters. */
export function markdownTable(headers: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => cell.trim()));
  const widths = headers.map((header, column) =>
    Math.max(length(header) + HEADER_PADDING, ...cells.map((row) => length(row[column] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(headers), rule, ...cells.map(line)];
}

/** A text that Markdown shows as it is, on one line and inside a table cell. */
export function markdownText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`|]/g, String.raw`\$&`)
    .replaceAll(/[\r\n]/g, " ");
}

/** A text as code on one line, fenced by one more backtick than it holds in a row. */
export function markdownCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return fence + text.replaceAll(/[\r\n]/g, " ") + fence;
}

function length(text: string): number {
  return [...text].length;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - length(text)));
}
