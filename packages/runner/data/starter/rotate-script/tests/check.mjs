import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const script = resolve("rotate.sh");
const folder = mkdtempSync(join(tmpdir(), "rotate-"));
const put = (files) => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};
const state = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
const rotate = (...values) => spawnSync("sh", [script, ...values], { cwd: folder, encoding: "utf8" });

try {
  put({ log: "now" });
  assert.equal(rotate("log", "3").status, 0);
  assert.deepEqual(state(), { log: "", "log.1": "now" });

  put({ log: "now", "log.1": "a", "log.2": "b", "log.3": "c", other: "x" });
  assert.equal(rotate("log", "2").status, 0);
  assert.deepEqual(state(), { log: "", "log.1": "now", "log.2": "a", other: "x" });

  const many = { "my app": "0" };
  for (let number = 1; number <= 11; number++) if (number !== 5) many[`my app.${number}`] = String(number);
  put(many);
  assert.equal(rotate("my app", "12").status, 0);
  const rotated = { "my app": "", "my app.1": "0" };
  for (let number = 1; number <= 11; number++) if (number !== 5) rotated[`my app.${number + 1}`] = String(number);
  assert.deepEqual(state(), rotated);

  for (const values of [["absent", "3"], ["log"], ["log", "0"], ["log", "two"], []]) {
    put({ log: "now", "log.1": "a" });
    const result = rotate(...values);
    assert.equal(result.status, 2, `rotate.sh ${values.join(" ")}`);
    assert.notEqual(result.stderr, "");
    assert.deepEqual(state(), { log: "now", "log.1": "a" });
  }
} finally {
  rmSync(folder, { recursive: true });
}
