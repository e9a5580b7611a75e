import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const expected = [
  "Bread for two days",
  "",
  "500 g flour",
  "350 g water",
  "10 g salt",
  "3 g yeast",
  "A handful of sunflower seeds",
  "",
  "1. Mix all and wait an hour.",
  "2. Fold three times, half an hour apart.",
  "3. Bake 40 minutes at 230 degrees.",
  "4. Let it cool before you cut it.",
  "",
];
assert.deepEqual(readFileSync("recipe.txt", "utf8").split("\n"), expected);
assert.match(readFileSync("bad-edit.diff", "utf8"), /^\+100 g salt$/m);
