#!/bin/sh
set -e
node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
let text = readFileSync("recipe.txt", "utf8");
let removed = [];
let added = [];
const undo = () => {
  if (added.length > 0) text = text.replace(added.join("\n") + "\n", [...removed, ""].join("\n"));
  removed = [];
  added = [];
};
for (const line of readFileSync("bad-edit.diff", "utf8").split("\n").slice(2)) {
  if (line.startsWith("-")) removed.push(line.slice(1));
  else if (line.startsWith("+")) added.push(line.slice(1));
  else undo();
}
undo();
writeFileSync("recipe.txt", text);
'
