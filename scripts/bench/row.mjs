import { median } from "./statistics.mjs";

/**
 * One line of the table. `limit` is what must hold: `{ ratio }` to the baseline or `{ value }` in the row's unit.
 * Without samples (where the machine cannot tell) the value is null and nothing is judged.
 */
export function row({ id, title, unit, samples, baseline, ratios, limit, peers, note }) {
  const value = medianOrNull(samples);
  const measured = (peers ?? []).filter(Boolean).map((peer) => ({ ...peer, value: medianOrNull(peer.samples) }));
  const ratio = ratios ? median(ratios) : undefined;
  const judged = limit?.ratio !== undefined ? ratio : value;
  const allowed = limit?.ratio ?? limit?.value;
  return {
    id,
    title,
    unit,
    value,
    samples,
    ...(baseline && { baseline: { name: baseline.name, value: median(baseline.samples), samples: baseline.samples } }),
    ...(ratio !== undefined && { ratio, ratios }),
    ...(limit && { limit, isWithinLimit: judged === null ? null : judged <= allowed }),
    ...(measured.length > 0 && { peers: measured }),
    ...(note && { note }),
  };
}

function medianOrNull(samples) {
  return samples.length > 0 ? median(samples) : null;
}
