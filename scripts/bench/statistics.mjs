export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Repeats the named measurements `rounds` times, in turn, so that a change of the machine's load meets all alike. */
export async function inTurn(rounds, measurements) {
  const results = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, take] of Object.entries(measurements)) results[name].push(await take(round));
  return results;
}

export function ratios(values, baseline) {
  return values.map((value, index) => value / baseline[index]);
}
