#!/bin/sh
set -e
cat >words.mjs <<'END'
import { readFileSync } from "node:fs";

const [file, count] = process.argv.slice(2);
const counts = new Map();
const words = readFileSync(file, "utf8").toLowerCase().match(/\p{L}+(?:'\p{L}+)*/gu) ?? [];
for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
const ranked = [...counts].sort(([left, a], [right, b]) => b - a || (left < right ? -1 : 1));
process.stdout.write(
  ranked
    .slice(0, Number(count))
    .map(([word, times]) => `${word} ${times}\n`)
    .join(""),
);
END
