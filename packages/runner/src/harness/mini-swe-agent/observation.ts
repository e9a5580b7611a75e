import type { CommandOutput } from "./command.ts";
import { OUTPUT_TOO_LONG } from "./wording.ts";

/** Code points of output from which on the middle is left out, and how many of them stay on either side. */
const SHOWN = 10_000;
const SIDE = SHOWN / 2;
const RAW_SIDE = 32 * 1024;

/** What the model is told of a command: JSON with the fields and the escapes that mini-swe-agent writes. */
export function observationText(result: CommandOutput): string {
  const fields = { returncode: result.returncode, ...shownOutput(result) };
  const lines = Object.entries(
    result.exception_info === "" ? fields : { ...fields, exception_info: result.exception_info },
  ).map(([name, value]) => `  "${name}": ${typeof value === "string" ? escapedJson(value) : value}`);
  return `{\n${lines.join(",\n")}\n}`;
}

function shownOutput({ output, dropped_bytes }: CommandOutput): Readonly<Record<string, string | number>> {
  const length = codePoints(output);
  if (length < SHOWN) return { output };
  return {
    output_head: [...output.slice(0, SHOWN)].slice(0, SIDE).join(""),
    output_tail: [...output.slice(-SHOWN)].slice(-SIDE).join(""),
    elided_chars: length - SHOWN + dropped_bytes,
    warning: OUTPUT_TOO_LONG,
  };
}

function codePoints(text: string): number {
  if (text.length < SHOWN) return text.length;
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) if (isHighSurrogate(text.charCodeAt(index))) pairs += 1;
  return text.length - pairs;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** ASCII alone, and nothing that could be taken for markup: models see the same text as from mini-swe-agent. */
function escapedJson(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[<>&'\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** An output as it is kept in the trajectory: a few hundred commands may print megabytes each. */
export function keptOutput(output: string): string {
  if (output.length <= 2 * RAW_SIDE) return output;
  const left = output.length - 2 * RAW_SIDE;
  return `${output.slice(0, RAW_SIDE)}\n[${left} characters left out]\n${output.slice(-RAW_SIDE)}`;
}
