#!/bin/sh
set -e
node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
const value = runInNewContext(`(${readFileSync("settings.txt", "utf8")})`);
writeFileSync("settings.json", JSON.stringify(value, null, 2));
'
