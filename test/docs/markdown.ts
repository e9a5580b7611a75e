import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export type Page = { readonly name: string; readonly text: string };
export type Block = { readonly page: string; readonly line: number; readonly info: string; readonly text: string };

/** README, CONTRIBUTING, CHANGELOG and everything under docs/. */
export async function allPages(): Promise<Page[]> {
  const docs = (await readdir(join(ROOT, "docs"), { recursive: true })).filter((name) => name.endsWith(".md"));
  const names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...docs.map((name) => join("docs", name))];
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(ROOT, name), "utf8") })));
}

/** Fenced blocks of a page; `info` is what follows the opening fence. */
export function blocksOf(page: Page): Block[] {
  const blocks: Block[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of page.text.split("\n").entries()) {
    if (!line.startsWith("```")) open?.lines.push(line);
    else if (open) {
      blocks.push({ page: page.name, line: open.line, info: open.info, text: `${open.lines.join("\n")}\n` });
      open = undefined;
    } else open = { info: line.slice(3).trim(), line: index + 1, lines: [] };
  }
  if (open) throw new Error(`${page.name}:${open.line}: a fenced block is not closed`);
  return blocks;
}

/** Targets of relative links, as paths from the root of the checkout, without anchors. */
export function linksOf(page: Page): string[] {
  const outside = page.text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  const targets = [...outside.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
  return targets
    .filter((target) => !/^[a-z]+:|^#/.test(target))
    .map((target) => relative(ROOT, join(ROOT, page.name, "..", target.split("#", 1)[0] ?? "")));
}
