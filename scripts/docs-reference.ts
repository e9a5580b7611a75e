import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { commandPage } from "./docs-commands.ts";
import { componentPage } from "./docs-components.ts";
import { errorPage } from "./docs-errors.ts";
import { configPage, orchestrationPage } from "./docs-files.ts";

const FOLDER = fileURLToPath(new URL("../docs/reference/", import.meta.url));

/** Generated pages by file name. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ["cli.md", commandPage()],
    ["components.md", componentPage()],
    ["config.md", configPage()],
    ["errors.md", errorPage()],
    ["orchestration.md", orchestrationPage()],
  ]);
}

/** Names of the pages that differ from what would be generated, or that nothing generates. */
export async function checkReference(folder = FOLDER): Promise<readonly string[]> {
  const pages = referencePages();
  const there = await readdir(folder).catch((): string[] => []);
  const stale = there.filter((name) => !pages.has(name));
  for (const [name, text] of pages) {
    const found = await readFile(`${folder}/${name}`, "utf8").catch(() => undefined);
    if (found !== text) stale.push(name);
  }
  return stale.sort();
}

export async function writeReference(folder = FOLDER): Promise<void> {
  const pages = referencePages();
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (!pages.has(name)) await rm(`${folder}/${name}`);
  for (const [name, text] of pages) await writeFile(`${folder}/${name}`, text);
}
