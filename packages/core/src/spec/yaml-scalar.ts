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
const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(?:(Z)|([-+])(\d\d?)(?::(\d\d))?))?$/;

/** A date or a time, which YAML 1.1 has and JSON has not; `text` is how Python prints it. */
export class YamlTimestamp {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** The value of a plain scalar; undefined for what the safe loader refuses: a lone `=` or `<<`, a date that is none. */
export function plainScalar(text: string): unknown {
  if (text === "=" || text === "<<") return undefined;
  if (NULL.test(text)) return null;
  if (TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  if (DATE.test(text)) return isDate(text) ? new YamlTimestamp(text) : undefined;
  const time = TIMESTAMP.exec(text);
  if (time) return timestamp(time);
  return integer(text) ?? float(text) ?? text;
}

/** Whether a plain scalar is written as a float whose value is whole, which a JavaScript number no longer shows. */
export function isWholeFloat(text: string): boolean {
  const value = FLOAT.test(text) || SEXAGESIMAL_FLOAT.test(text) ? plainScalar(text) : undefined;
  return typeof value === "number" && Number.isInteger(value);
}

/** A whole float as Python prints it: `1.0`, `1e+16`. */
export function wholeFloatText(value: number): string {
  if (Math.abs(value) >= 1e16) return value.toExponential();
  return Object.is(value, -0) ? "-0.0" : value.toFixed(1);
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function timestamp(parts: RegExpExecArray): YamlTimestamp | undefined {
  const [, year, month, day, hour, minute, second, fraction, zulu, sign, zoneHour, zoneMinute] = parts;
  const two = (digits: string | undefined): string => (digits ?? "").padStart(2, "0");
  const date = `${year}-${two(month)}-${two(day)}`;
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const micros = (fraction ?? "").slice(0, 6).padEnd(6, "0");
  const zone = zulu ? "+00:00" : sign ? `${sign}${two(zoneHour)}:${two(zoneMinute)}` : "";
  return new YamlTimestamp(`${date} ${two(hour)}:${minute}:${second}${Number(micros) > 0 ? `.${micros}` : ""}${zone}`);
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
