import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

const expected = {
  "already-fine.png": "picture five\n",
  "beach-day-01.jpg": "picture one\n",
  "img-0042.jpg": "picture two\n",
  "night-market-3.png": "picture three\n",
  "the-long-road.jpg": "picture four\n",
};
assert.deepEqual(readdirSync("photos").sort(), Object.keys(expected));
for (const [name, text] of Object.entries(expected)) assert.equal(readFileSync(`photos/${name}`, "utf8"), text);
