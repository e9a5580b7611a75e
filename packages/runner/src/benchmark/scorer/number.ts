// Bounded, so that a long list is not read anew from each of its numbers. A minus is a sign unless it follows a letter, digit, point or closing bracket: `5-3` ends in 3, `= -3` in -3.
const NUMBER = new RegExp(
  [
    String.raw`(?:(?<![\w.)\]])[-+\u2212])?`,
    String.raw`(?:(?:\d{1,3}(?:,\d{3}){1,100}(?!\d|,\d)|\d+)(?:\.\d+)?|\.\d+)`,
    String.raw`(?:[eE][-+]?\d{1,4}(?!\w))?`,
  ].join(""),
  "g",
);

/** The last number written in a text, as canonical decimal text; undefined when there is none. */
export function lastNumber(text: string): string | undefined {
  const found = text.match(NUMBER)?.at(-1);
  return found === undefined ? undefined : canonical(found);
}

/** One text for one value, without rounding: `-1,200.50` is `-12005e-1`. */
function canonical(written: string): string {
  const plain = written.replaceAll(",", "").replace("\u2212", "-").replace("+", "").toLowerCase();
  const [mantissa = "", exponent = "0"] = plain.split("e");
  const negative = mantissa.startsWith("-");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutZerosAtEnd(digits);
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${negative ? "-" : ""}${significant}e${power}`;
}

/** A pattern would look from each zero anew. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
