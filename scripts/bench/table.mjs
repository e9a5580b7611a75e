const HEADINGS = ["measure", "ours", "baseline", "ratio", "limit", ""];

/** The rows as text: columns padded, medians only, with a column for each peer that was measured. */
export function table(rows) {
  const peerNames = [...new Set(rows.flatMap(({ peers }) => (peers ?? []).map(({ name }) => name)))];
  const headings = [...HEADINGS, ...peerNames];
  const cells = rows.map((row) => cellsOf(row, peerNames));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((line) => line[column].length)),
  );
  const line = (values) =>
    values
      .map((value, column) => value.padEnd(widths[column]))
      .join("  ")
      .trimEnd();
  return [line(headings), widths.map((width) => "-".repeat(width)).join("  "), ...cells.map(line)].join("\n");
}

function cellsOf(row, peerNames) {
  return [
    row.title,
    amount(row.value, row.unit),
    row.baseline ? `${amount(row.baseline.value, row.unit)} (${row.baseline.name})` : "",
    row.ratio === undefined ? "" : row.ratio.toFixed(2),
    limitOf(row),
    row.isWithinLimit === undefined || row.isWithinLimit === null ? "" : row.isWithinLimit ? "holds" : "OVER",
    ...peerNames.map((name) => peerOf(row, name)),
  ];
}

function limitOf({ limit, unit }) {
  if (!limit) return "";
  return limit.ratio === undefined ? `<= ${limit.value} ${unit}` : `<= ${limit.ratio} times`;
}

function peerOf({ peers, unit }, wanted) {
  const peer = peers?.find(({ name }) => name === wanted);
  if (!peer) return "";
  return `${amount(peer.value, unit)}${peer.note ? ` (${peer.note})` : ""}`;
}

function amount(value, unit) {
  if (value === null) return "unknown";
  return `${Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2)} ${unit}`;
}
