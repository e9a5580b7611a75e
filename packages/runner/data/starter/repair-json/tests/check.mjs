import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

assert.deepEqual(JSON.parse(readFileSync("settings.json", "utf8")), {
  title: "Bob's board // not a comment",
  size: { width: 640, height: 480 },
  tags: ["red, green", "it's", "a,]b"],
  ratio: 0.5,
  enabled: true,
  owner: null,
  motto: 'say "yes"',
});
