export type Table = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns whose cells end at the same place. */
  readonly right?: readonly number[];
};

/** A table of aligned columns two blanks apart; lines end in no blanks. */
export function renderTable(table: Table): string {
  const lines = [table.header, ...table.rows];
  const widths = table.header.map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ""))));
  const rule = widths.map((width) => "-".repeat(width));
  return [table.header, rule, ...table.rows].map((line) => renderLine(line, widths, table.right ?? [])).join("");
}

function renderLine(cells: readonly string[], widths: readonly number[], right: readonly number[]): string {
  const padded = widths.map((width, column) => {
    const cell = cells[column] ?? "";
    const gap = " ".repeat(width - textWidth(cell));
    return right.includes(column) ? gap + cell : cell + gap;
  });
  return `${padded.join("  ").trimEnd()}\n`;
}

function textWidth(text: string): number {
  return [...text].length;
}

/** Cut to a width, with an ellipsis where something is missing. */
export function truncate(text: string, width: number): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  return width <= 1 ? characters.slice(0, width).join("") : `${characters.slice(0, width - 1).join("")}…`;
}
