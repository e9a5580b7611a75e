import { readdirSync } from "node:fs";
import { join } from "node:path";
import { AgentCompassError, errorText } from "@agentcompass/core";
import type { NamedFile } from "./component-file.ts";

const RECIPE_FILE = /^(?!\.).*(?<!\.d|\.test)\.(?:ts|mts|mjs|js)$/;

/**
 * The recipe files of a folder, by name: .ts, .mts, .mjs and .js, but no declarations (`.d.ts`) and no tests (`.test.ts`).
 * Throws AgentCompassError `file.unreadable` for a folder that cannot be read, `component.invalid` for one without recipes.
 */
export function recipeFiles(folder: string, where: string): readonly NamedFile[] {
  const names = namesIn(folder, where);
  const files = names.filter((name) => RECIPE_FILE.test(name)).sort();
  if (files.length > 0) return files.map((name) => ({ path: join(folder, name), where, onlyKind: "recipe" }));
  const python = names.some((name) => name.endsWith(".py"));
  throw new AgentCompassError(
    "component.invalid",
    python
      ? `${where}: ${folder} holds recipes in Python, which cannot run here; write each again as a .ts or .mjs file (docs/guide/own-components.md)`
      : `${where}: ${folder} holds no recipe; a recipe is a .ts, .mts, .mjs or .js file`,
  );
}

function namesIn(folder: string, where: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: "there is no such folder",
      ENOTDIR: "it is no folder; name a single recipe file in components",
      EACCES: "it may not be read (permission denied)",
    };
    const reason = (code && reasons[code]) || errorText(error);
    throw new AgentCompassError("file.unreadable", `${where}: recipe folder ${folder} cannot be read: ${reason}`);
  }
}
