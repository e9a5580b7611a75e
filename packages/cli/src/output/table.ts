import { displayWidth, oneLine } from "./width.ts";

export type Table = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns whose cells end at the same place. */
  readonly right?: readonly number[];
};

/** A table of aligned columns two blanks apart; lines end in no blanks. */
export function renderTable(table: Table): string {
  const lines = [table.header, ...table.rows].map((line) => line.map(oneLine));
  const widths = table.header.map((_, column) => Math.max(...lines.map((line) => displayWidth(line[column] ?? ""))));
  const rule = widths.map((width) => "-".repeat(width));
  return [...lines.slice(0, 1), rule, ...lines.slice(1)]
    .map((line) => renderLine(line, widths, table.right ?? []))
    .join("");
}

function renderLine(cells: readonly string[], widths: readonly number[], right: readonly number[]): string {
  const padded = widths.map((width, column) => {
    const cell = cells[column] ?? "";
    const gap = " ".repeat(width - displayWidth(cell));
    return right.includes(column) ? gap + cell : cell + gap;
  });
  return `${padded.join("  ").trimEnd()}\n`;
}
