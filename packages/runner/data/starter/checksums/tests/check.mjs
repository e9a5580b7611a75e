import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";

const paths = readdirSync("release", { recursive: true })
  .map((name) => `release/${name}`)
  .filter((path) => statSync(path).isFile())
  .sort();
assert.equal(paths.length, 5);
const lines = paths.map((path) => `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${path}`);
assert.equal(readFileSync("SHA256SUMS", "utf8").trimEnd(), lines.join("\n"));
assert.match(lines[0], /^87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7 {2}release\/README$/);
