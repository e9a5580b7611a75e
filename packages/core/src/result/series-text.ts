import { compareCodePoints } from "./code-point-order.ts";
import { fourDecimals } from "./number-text.ts";
import type { Breakdown, Series } from "./report.ts";

/** What a series is called: its label and how attempts are reduced. */
export function seriesLabel({ display, reducer, k }: Series): string {
  return `${display.label} (${reducer}@${k})`;
}

/** A value with four decimals, marked when it is only a reference; `-` when there is none. */
export function valueText({ value, reference_value }: Pick<Breakdown, "value" | "reference_value">): string {
  if (value !== null) return fourDecimals(value);
  return reference_value === null ? "-" : `${fourDecimals(reference_value)} (reference)`;
}

/** The names of parts in code-point order, whatever order their object has. */
export function sortedNames(parts: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(parts).sort(compareCodePoints);
}
