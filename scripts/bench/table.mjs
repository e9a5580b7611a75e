const HEADINGS = ["measure", "ours", "baseline", "ratio", "limit", ""];

/** The rows as text: columns padded, medians only, with a column for each peer that was measured. */
export function table(rows, peerName) {
  const headings = [...HEADINGS, ...(peerName ? [peerName] : [])];
  const cells = rows.map((row) => cellsOf(row, Boolean(peerName)));
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

function cellsOf(row, hasPeer) {
  return [
    row.title,
    amount(row.value, row.unit),
    row.baseline ? `${amount(row.baseline.value, row.unit)} (${row.baseline.name})` : "",
    row.ratio === undefined ? "" : row.ratio.toFixed(2),
    limitOf(row),
    row.isWithinLimit === undefined || row.isWithinLimit === null ? "" : row.isWithinLimit ? "holds" : "OVER",
    ...(hasPeer ? [peerOf(row)] : []),
  ];
}

function limitOf({ limit, unit }) {
  if (!limit) return "";
  return limit.ratio === undefined ? `<= ${limit.value} ${unit}` : `<= ${limit.ratio} times`;
}

function peerOf({ peer, unit }) {
  if (!peer) return "";
  return `${amount(peer.value, unit)}${peer.note ? ` (${peer.note})` : ""}`;
}

function amount(value, unit) {
  if (value === null) return "unknown";
  return `${Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2)} ${unit}`;
}
