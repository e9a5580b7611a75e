import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const { median } = await import(pathToFileURL("median.mjs").href);
for (const [numbers, expected] of [
  [[7], 7],
  [[10, 9, 1], 9],
  [[100, 20, 3], 20],
  [[4, 1, 3, 2], 2.5],
  [[-5, -40, 3, -6], -5.5],
  [[1000, 2, 30, 4, 500], 30],
]) {
  const before = [...numbers];
  assert.equal(median(numbers), expected, `median of ${before}`);
  assert.deepEqual(numbers, before);
}
assert.throws(() => median([]), RangeError);
