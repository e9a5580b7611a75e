import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

assert.deepEqual(JSON.parse(readFileSync("people.json", "utf8")), [
  { name: "Ada Moor", age: 36, active: true, note: "likes engines" },
  { name: "Okafor, Chidi", age: 41, active: false, note: 'says "hello"' },
  { name: "Lin", age: null, active: true, note: "first line\nsecond line, with a comma" },
  { name: "007", age: 29, active: false, note: "" },
  { name: " Bo ", age: 8, active: true, note: "keeps blanks " },
]);
