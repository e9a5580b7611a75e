import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "words-"));
const top = (text, count) => {
  const file = join(folder, "text.txt");
  writeFileSync(file, text);
  const result = spawnSync(process.execPath, ["words.mjs", file, String(count)], { encoding: "utf8" });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout.trimEnd();
};

try {
  assert.equal(top("the cat and the dog and the bird", 2), "the 3\nand 2");
  assert.equal(top("b a c B A d", 3), "a 2\nb 2\nc 1");
  assert.equal(top("Don't say 'so', don't! 'so' it is.", 2), "don't 2\nso 2");
  assert.equal(top("\u00dcber \u00fcber na\u00efve 12 34 x-ray", 9), "\u00fcber 2\nna\u00efve 1\nray 1\nx 1");
  assert.equal(top("", 5), "");
  assert.equal(top("constructor toString constructor", 5), "constructor 2\ntostring 1");
} finally {
  rmSync(folder, { recursive: true });
}
