#!/bin/sh
set -e
cat >roman.mjs <<'END'
const STEPS = Object.entries({
  M: 1000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1,
});

export function toRoman(number) {
  if (!Number.isInteger(number) || number < 1 || number > 3999) throw new RangeError(`no Roman numeral for ${number}`);
  let rest = number;
  let numeral = "";
  for (const [letters, value] of STEPS)
    while (rest >= value) {
      numeral += letters;
      rest -= value;
    }
  return numeral;
}

export function fromRoman(text) {
  const numeral = text.toUpperCase();
  let rest = numeral;
  let number = 0;
  for (const [letters, value] of STEPS)
    while (rest.startsWith(letters)) {
      number += value;
      rest = rest.slice(letters.length);
    }
  const isProper = rest === "" && number >= 1 && number <= 3999 && toRoman(number) === numeral;
  if (!isProper) throw new SyntaxError(`no Roman numeral: ${text}`);
  return number;
}
END
