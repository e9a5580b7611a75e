import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

type Row = { readonly option: string; readonly tests: readonly string[] };

const lines = readFileSync(join(ROOT, "docs/options.md"), "utf8").split("\n");
const tables = lines.filter((line) => line.startsWith("|")).map(cellsOf);

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

const rows: readonly Row[] = tables
  .filter((cells) => cells.at(-1) !== "test" && !cells.every((cell) => /^-+$/.test(cell)))
  .map((cells) => {
    const option = cells.slice(0, -1).find((cell) => cell !== "") ?? "";
    return { option, tests: (cells.at(-1) ?? "").split("; ").filter((test) => test !== "") };
  });

/** True when a title, or the name that a table of tests puts into one, begins like this. */
function exists(test: string): boolean {
  const [, file = "", title = ""] = /^(\S+): (.+)$/.exec(test) ?? [];
  const path = join(ROOT, file.includes("/") ? `${file}.test.ts` : `test/options/${file}.test.ts`);
  if (!existsSync(path)) return false;
  const start = title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?:\\(|\\[|^\\s*)"${start}(?![A-Za-z0-9_])`, "m").test(readFileSync(path, "utf8"));
}

describe("docs/options.md", () => {
  it("has a column of tests in every table", () => {
    const heads = tables.filter((_cells, index) => tables[index + 1]?.every((cell) => /^-+$/.test(cell)));
    expect(heads.length).toBeGreaterThan(8);
    expect(heads.map((cells) => cells.at(-1))).toEqual(heads.map(() => "test"));
  });

  it.each(rows)("names tests of $option that exist", ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !exists(test))).toEqual([]);
  });

  it("would not be content with a test that does not exist", () => {
    expect(exists("execution-options: k")).toBe(true);
    for (const test of ["execution-options: kk", "no-file: k", "k", ""]) expect(exists(test)).toBe(false);
  });
});
