import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const { toRoman, fromRoman } = await import(pathToFileURL("roman.mjs").href);
const pairs = {
  1: "I",
  4: "IV",
  9: "IX",
  14: "XIV",
  40: "XL",
  90: "XC",
  444: "CDXLIV",
  1994: "MCMXCIV",
  3999: "MMMCMXCIX",
};
for (const [number, numeral] of Object.entries(pairs)) {
  assert.equal(toRoman(Number(number)), numeral);
  assert.equal(fromRoman(numeral.toLowerCase()), Number(number));
}
const seen = new Set();
for (let number = 1; number < 4000; number++) {
  assert.equal(fromRoman(toRoman(number)), number);
  seen.add(toRoman(number));
}
assert.equal(seen.size, 3999);
for (const bad of [0, -3, 4000, 2.5, Number.NaN, "7"]) assert.throws(() => toRoman(bad), RangeError);
for (const bad of ["", "IIII", "VX", "IC", "XM", "MMMM", "A", "I I"]) assert.throws(() => fromRoman(bad), SyntaxError);
