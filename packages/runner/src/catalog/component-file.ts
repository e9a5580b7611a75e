import { realpathSync } from "node:fs";
import { AgentCompassError } from "@agentcompass/core";
import type { Catalog, ComponentFile, OwnComponentKind, OwnDefinition } from "@agentcompass/core/plugin";
import { SCORERS } from "../benchmark/params.ts";
import { importComponentFile } from "./component-import.ts";
import { readDefinitions } from "./definition-shape.ts";
import { type Components, extendCatalog } from "./extend.ts";
import { ownBenchmark } from "./own-benchmark.ts";
import { ownEnvironment } from "./own-environment.ts";
import { ownHarness } from "./own-harness.ts";

/** A file that a spec, a configuration or an option names. */
export type NamedFile = {
  /** Absolute path. */
  readonly path: string;
  /** Who names it, as `suite.yaml: components[0]`; begins every error. */
  readonly where: string;
  /** Of a folder of recipes, which may hold nothing else. */
  readonly onlyKind?: OwnComponentKind;
};

export type LoadFilesAsk = {
  readonly catalog: Catalog;
  readonly files: readonly NamedFile[];
  /** What the package `agentcompass` is for these files. */
  readonly api: object;
};

type Loaded = { readonly path: string; readonly checksum: string; readonly definitions: readonly OwnDefinition[] };

/**
 * Runs component files and adds what they define to a catalog; a file named twice counts once. These files are trusted: they
 * run in this process with all its rights. Throws AgentCompassError `file.unreadable` or `component.invalid` in one line.
 */
export async function loadComponentFiles(ask: LoadFilesAsk): Promise<Catalog> {
  const seen = new Set((ask.catalog.files ?? []).map((file) => file.path));
  const loaded: Loaded[] = [];
  for (const named of ask.files) {
    const path = realPath(named.path);
    if (seen.has(path)) continue;
    seen.add(path);
    loaded.push(await loadFile({ ...named, path }, ask.api));
  }
  if (loaded.length === 0) return ask.catalog;
  refuseTakenIds(ask.catalog, loaded);
  return extendCatalog(ask.catalog, componentsOf(loaded));
}

/** A file behind a link is the same file; one that is missing keeps its name for the error. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

async function loadFile(named: NamedFile, api: object): Promise<Loaded> {
  const { checksum, exported } = await importComponentFile({ ...named, api });
  const where = `${named.where}: component file ${named.path}`;
  const definitions = readDefinitions(exported, { where, ...(named.onlyKind && { onlyKind: named.onlyKind }) });
  return { path: named.path, checksum, definitions };
}

function refuseTakenIds(catalog: Catalog, loaded: readonly Loaded[]): void {
  const owners = ownersOf(catalog);
  for (const { path, definitions } of loaded)
    for (const { kind, id } of definitions) {
      const name = `${kind} '${id}'`;
      const other = owners.get(name);
      if (other !== undefined) throw twice(name, other, path);
      if (isBuiltIn(catalog, kind, id)) throw invalid(`${path}: ${name} comes with AgentCompass; choose another id`);
      owners.set(name, path);
    }
}

function ownersOf(catalog: Catalog): Map<string, string> {
  const each = (catalog.files ?? []).flatMap(({ path, components }) => components.map((one) => ({ ...one, path })));
  return new Map(each.map(({ kind, id, path }) => [`${kind} '${id}'`, path]));
}

function twice(name: string, other: string, path: string): AgentCompassError {
  const places = other === path ? `in ${path} twice` : `in ${other} and in ${path}`;
  return invalid(`${name} is ${places}; give one of them another id`);
}

function isBuiltIn(catalog: Catalog, kind: OwnComponentKind, id: string): boolean {
  if (kind === "recipe") return (catalog.recipes ?? []).some((recipe) => recipe.id === id);
  return kind === "scorer" ? SCORERS.some((one) => one === id) : catalog[kind].has(id);
}

function invalid(message: string): AgentCompassError {
  return new AgentCompassError("component.invalid", message);
}

function componentsOf(loaded: readonly Loaded[]): Components {
  const each = loaded.flatMap(({ path, definitions }) => definitions.map((definition) => ({ path, definition })));
  return {
    benchmarks: each.flatMap(({ path, definition }) =>
      definition.kind === "benchmark" ? [ownBenchmark(definition, path)] : [],
    ),
    harnesses: each.flatMap(({ path, definition }) =>
      definition.kind === "harness" ? [ownHarness(definition, path)] : [],
    ),
    environments: each.flatMap(({ path, definition }) =>
      definition.kind === "environment" ? [ownEnvironment(definition, path)] : [],
    ),
    scorers: each.flatMap(({ definition }) => (definition.kind === "scorer" ? [definition] : [])),
    recipes: each.flatMap(({ definition }) => (definition.kind === "recipe" ? [definition] : [])),
    files: loaded.map(toFile),
  };
}

function toFile({ path, checksum, definitions }: Loaded): ComponentFile {
  return { path, checksum, components: definitions.map(({ kind, id, description }) => ({ kind, id, description })) };
}
