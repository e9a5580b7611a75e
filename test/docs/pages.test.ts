import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allPages, blocksOf, linksOf, ROOT } from "./markdown.ts";

const pages = await allPages();
const blocks = pages.flatMap(blocksOf);

describe("the documentation", () => {
  it("links only to files that exist", () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${page.name}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("shows TypeScript and JavaScript only as copies of files in examples/, which are compiled or run", async () => {
    const shown = blocks.filter((block) => ["ts", "js"].includes(block.info.split(" ")[0] ?? ""));
    expect(shown.length).toBeGreaterThan(0);
    for (const block of shown) {
      const file = /^[jt]s file=(examples\/\S+)$/.exec(block.info)?.[1];
      expect(file, `${block.page}:${block.line} names the file that it copies`).toBeDefined();
      expect(block.text, `${block.page}:${block.line}`).toBe(await readFile(join(ROOT, file ?? ""), "utf8"));
    }
  });

  it("shows JSON that can be parsed, line by line or as a whole", () => {
    for (const block of blocks.filter((one) => one.info === "json"))
      expect(() => JSON.parse(block.text), `${block.page}:${block.line}`).not.toThrow();
  });

  it("says for every fenced block what it is", () => {
    expect(blocks.filter((block) => block.info === "").map((block) => `${block.page}:${block.line}`)).toEqual([]);
  });

  it("gives the two commands of the README in blocks of their own", () => {
    const commands = blocks.filter((block) => block.page === "README.md" && block.info === "sh").map((one) => one.text);
    expect(commands).toContain("npm ci && npx agentcompass launch examples/quickstart.yaml\n");
    expect(commands).toContain("npm ci && npm test\n");
  });

  it("has a page for every room, each with a diagram", () => {
    const rooms = ["attempt", "cli", "engine", "event", "limit", "local", "plan", "plugin", "port", "record", "result"];
    for (const room of [...rooms, "runner", "sdk", "spec"]) {
      const drawn = blocks.filter((one) => one.page === `docs/architecture/${room}.md` && one.info === "mermaid");
      expect(drawn, room).toHaveLength(1);
    }
  });
});
