#!/bin/sh
set -e
node --input-type=module -e '
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
const paths = readdirSync("release", { recursive: true }).map((name) => `release/${name}`);
const lines = paths
  .filter((path) => statSync(path).isFile())
  .sort()
  .map((path) => `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${path}\n`);
writeFileSync("SHA256SUMS", lines.join(""));
'
