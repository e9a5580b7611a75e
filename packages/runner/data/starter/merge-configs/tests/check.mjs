import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

assert.deepEqual(JSON.parse(readFileSync("merged.json", "utf8")), {
  name: "harbour",
  server: { port: 9090, tls: { cert: "team.pem" }, hosts: ["127.0.0.1"] },
  log: { level: "debug", format: "json" },
  theme: { dark: false },
});
assert.equal(JSON.parse(readFileSync("config/base.json", "utf8")).server.port, 8080);
