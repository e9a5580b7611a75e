/**
 * Plain scalars as PyYAML's safe loader reads them: YAML 1.1 (yaml.org/type), but for the words that PyYAML leaves out
 * (`y`, `n`) and floats whose exponent has no sign.
 */
const NULL = /^(?:~|null|Null|NULL|)$/;
const TRUE = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const BINARY = /^[-+]?0b[01_]+$/;
const OCTAL = /^[-+]?0[0-7_]+$/;
const DECIMAL = /^[-+]?(?:0|[1-9][0-9_]*)$/;
const HEXADECIMAL = /^[-+]?0x[0-9a-fA-F_]+$/;
const SEXAGESIMAL = /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/;
const FLOAT = /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/;
const SEXAGESIMAL_FLOAT = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/;
const INFINITY = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?$/;

/** A date or a time, which YAML 1.1 has and JSON has not; `text` is what the file says. */
export class YamlTimestamp {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** The value of a plain scalar; undefined for a lone `=`, which the safe loader refuses. */
export function plainScalar(text: string): unknown {
  if (text === "=") return undefined;
  if (NULL.test(text)) return null;
  if (TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  if (DATE.test(text) || TIMESTAMP.test(text)) return new YamlTimestamp(text);
  return integer(text) ?? float(text) ?? text;
}

function integer(text: string): number | undefined {
  if (OCTAL.test(text) && !DECIMAL.test(text)) return signed(text, (digits) => Number.parseInt(digits, 8));
  if (DECIMAL.test(text)) return signed(text, Number);
  if (BINARY.test(text)) return signed(text, (digits) => Number.parseInt(digits.slice(2), 2));
  if (HEXADECIMAL.test(text)) return signed(text, (digits) => Number.parseInt(digits.slice(2), 16));
  return SEXAGESIMAL.test(text) ? signed(text, base60) : undefined;
}

function float(text: string): number | undefined {
  if (FLOAT.test(text)) return signed(text, Number);
  if (SEXAGESIMAL_FLOAT.test(text)) return signed(text, base60);
  if (INFINITY.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return NOT_A_NUMBER.test(text) ? Number.NaN : undefined;
}

function signed(text: string, read: (digits: string) => number): number {
  const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
  const value = read(digits);
  return text.startsWith("-") ? -value : value;
}

function base60(digits: string): number {
  return digits.split(":").reduce((total, part) => total * 60 + Number(part), 0);
}
