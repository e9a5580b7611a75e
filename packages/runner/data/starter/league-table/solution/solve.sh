#!/bin/sh
set -e
node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
const teams = new Map();
const add = (name, scored, conceded) => {
  const team = teams.get(name) ?? { name, points: 0, scored: 0, conceded: 0 };
  team.points += scored > conceded ? 3 : scored === conceded ? 1 : 0;
  team.scored += scored;
  team.conceded += conceded;
  teams.set(name, team);
};
for (const line of readFileSync("matches.txt", "utf8").split("\n")) {
  const match = /^([^#].*) - (.*) (\d+):(\d+)$/.exec(line);
  if (!match) continue;
  add(match[1], Number(match[3]), Number(match[4]));
  add(match[2], Number(match[4]), Number(match[3]));
}
const difference = (team) => team.scored - team.conceded;
const rank = (a, b) => b.points - a.points || difference(b) - difference(a) || b.scored - a.scored;
const table = [...teams.values()].sort((a, b) => rank(a, b) || (a.name < b.name ? -1 : 1));
const lines = table.map((team) => {
  const place = table.findIndex((other) => rank(other, team) === 0) + 1;
  return `${place}. ${team.name} ${team.points} ${team.scored}:${team.conceded}\n`;
});
writeFileSync("table.txt", lines.join(""));
'
