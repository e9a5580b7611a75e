import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

assert.deepEqual(JSON.parse(readFileSync("report.json", "utf8")), {
  errors: { billing: 2, search: 1 },
  slowest: { service: "search", path: "/find", ms: 1200 },
  users: ["amara", "ben", "zoe"],
  first_error: "2031-04-05T10:00:02Z",
});
