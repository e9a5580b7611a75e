import { dirname, resolve } from "node:path";
import type { Catalog } from "@agentcompass/core/plugin";
import { type ConfigLayer, componentPaths, type ResolvedOrchestration } from "@agentcompass/core/spec";
import type { NamedFile } from "@agentcompass/runner/catalog";
import type { LaunchOptions } from "./options.ts";

/** Files that configuration files name, each relative to the one that names it. */
export function filesOfConfig(layers: readonly ConfigLayer[]): readonly NamedFile[] {
  return layers.flatMap(({ path, value }) => {
    const paths = componentPaths(value, process.env, { file: path, code: "config.invalid" });
    return paths.map((named, index) => ({
      path: resolve(dirname(path), named),
      where: `${path}: components[${index}]`,
    }));
  });
}

/** Files that an orchestration names: relative to its own file, or to the working directory when it has none. */
export function filesOfSpec(content: unknown, file?: string): readonly NamedFile[] {
  const paths = componentPaths(content, process.env, file === undefined ? {} : { file });
  const folder = file === undefined ? process.cwd() : dirname(resolve(file));
  const place = file === undefined ? "" : `${file}: `;
  return paths.map((named, index) => ({ path: resolve(folder, named), where: `${place}components[${index}]` }));
}

/** Files that options name, relative to the working directory. */
export function filesOfOptions({ components }: Pick<LaunchOptions, "components">): readonly NamedFile[] {
  const paths = typeof components === "string" ? [components] : (components ?? []);
  return paths.map((path) => ({ path: resolve(path), where: "--component" }));
}

/** The catalog with what the files define. */
export async function withFiles(catalog: Catalog, files: readonly NamedFile[]): Promise<Catalog> {
  if (files.length === 0) return catalog;
  const [{ loadComponentFiles }, api] = await Promise.all([
    import("@agentcompass/runner/catalog"),
    import("./component-api.ts"),
  ]);
  return loadComponentFiles({ catalog, files, api });
}

/** The catalog with the recipes of `runtime.recipe_dirs`, folder by folder, after those of component files. */
export async function withRecipeFolders(
  catalog: Catalog,
  { runtime }: Pick<ResolvedOrchestration, "runtime">,
): Promise<Catalog> {
  if (runtime.recipe_dirs.length === 0) return catalog;
  const { recipeFiles } = await import("@agentcompass/runner/catalog");
  const files = runtime.recipe_dirs.flatMap((folder, index) => [
    ...recipeFiles(resolve(folder), `runtime.recipe_dirs[${index}]`),
  ]);
  return withFiles(catalog, files);
}
