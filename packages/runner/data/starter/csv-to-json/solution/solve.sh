#!/bin/sh
set -e
node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
const text = readFileSync("people.csv", "utf8");
const rows = [[]];
const field = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/gy;
while (field.lastIndex < text.length) {
  const [, quoted, plain, end] = field.exec(text);
  rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll(`""`, `"`));
  if (end !== ",") rows.push([]);
}
const [header, ...lines] = rows.filter((row) => row.length > 0);
const people = lines.map((row) => {
  const person = Object.fromEntries(header.map((name, index) => [name, row[index]]));
  return { ...person, age: person.age === "" ? null : Number(person.age), active: person.active === "yes" };
});
writeFileSync("people.json", JSON.stringify(people, null, 2));
'
