#!/bin/sh
set -e
node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const merge = (low, high) => {
  const result = { ...low };
  for (const [key, value] of Object.entries(high)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? merge(isObject(result[key]) ? result[key] : {}, value) : value;
  }
  return result;
};
const layers = ["base", "team", "user"].map((name) => JSON.parse(readFileSync(`config/${name}.json`, "utf8")));
writeFileSync("merged.json", JSON.stringify(layers.reduce(merge, {})));
'
