import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const expected = [
  "1. Harbour Town 9 7:2",
  "2. Greens 4 3:3",
  "2. Violets 4 3:3",
  "4. Quayside 1 4:4",
  "5. Old Mill 1 4:9",
];
assert.deepEqual(readFileSync("table.txt", "utf8").trimEnd().split("\n"), expected);
