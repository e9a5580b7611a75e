#!/bin/sh
set -e
node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
const lines = readFileSync("service.log", "utf8").split("\n").flatMap((text) => {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([A-Z]+) (\S+) (.*)$/.exec(text);
  if (!match) return [];
  const [, time, level, service, rest] = match;
  return [{ time, level, service, message: rest.split(" ")[0], ...Object.fromEntries([...rest.matchAll(/(\w+)=(\S+)/g)].map((pair) => [pair[1], pair[2]])) }];
});
const errors = {};
const failed = lines.filter((line) => line.level === "ERROR");
for (const line of failed) errors[line.service] = (errors[line.service] ?? 0) + 1;
const requests = lines.filter((line) => line.message === "request").sort((a, b) => b.ms - a.ms);
writeFileSync("report.json", JSON.stringify({
  errors,
  slowest: { service: requests[0].service, path: requests[0].path, ms: Number(requests[0].ms) },
  users: [...new Set(lines.flatMap((line) => line.user ?? []))].sort(),
  first_error: failed.map((line) => line.time).sort()[0],
}));
'
