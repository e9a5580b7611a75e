import { realpathSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import { makeDirectory } from "@agentcompass/core/port";
import { requireKey } from "./blob-key.ts";
import { systemCode } from "./file-error.ts";
import { directoryMode } from "./private-mode.ts";

/** More than tasks under way need; kept few, for each is looked at when one is moved. */
const MAX_KNOWN = 1_000;

/**
 * Paths under one directory: a symbolic link that leads outside is refused, wherever it stands on the way. Looking at names is
 * done synchronously: it takes microseconds, a trip through Node's thread pool many times that. Making one is not: it waits for
 * the file system's journal while others sync.
 */
export class ConfinedPath {
  readonly root: string;
  #realRoot: string | undefined;
  /** Directories that were found to be, or were made, inside the root. */
  readonly #known = new Set<string>();

  constructor(root: string) {
    this.root = resolve(root);
  }

  /** The path of a key, or of the root for the empty key; nothing is looked at. */
  of(key: string): string {
    return key === "" ? this.root : join(this.root, requireKey(key));
  }

  /**
   * Throws when the path, as far as it exists, really lies outside the root. Gives where it really is when
   * it exists.
   */
  check(path: string): string | undefined {
    const whole = realPath(path);
    let part = path;
    let real = whole;
    while (real === undefined && part !== this.root) {
      part = dirname(part);
      real = realPath(part);
    }
    if (real === undefined) return undefined;
    this.#realRoot ??= realPath(this.root);
    if (this.#realRoot === undefined || real === this.#realRoot || real.startsWith(this.#realRoot + sep)) return whole;
    const message = `${path} leads outside ${this.root} by a symbolic link; remove the link`;
    throw new AgentCompassError("store.unwritable", message, { data: { path } });
  }

  /** Makes the directory and its parents where they are missing; refuses one that lies outside. */
  async makeDirectory(directory: string): Promise<void> {
    if (this.#known.has(directory)) return;
    // What was made just now, in a directory inside, is no link.
    const isMade = directory === this.root ? await makeRoot(directory) : await this.#makeBelow(directory);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    if (isMade || isDirectory(directory)) this.#known.add(directory);
  }

  /** Throws when the directory lies outside the root; one that was looked at before is not looked at again. */
  checkDirectory(directory: string): void {
    if (!this.#known.has(directory)) this.check(directory);
  }

  /** Directories that are moved, removed or not found any more are looked at anew. */
  forget(matches: (directory: string) => boolean): void {
    for (const directory of this.#known) if (matches(directory)) this.#known.delete(directory);
  }

  /** True when it was missing. */
  async #makeBelow(directory: string): Promise<boolean> {
    await this.makeDirectory(dirname(directory));
    if (await makeOne(directory)) return true;
    this.check(directory);
    return false;
  }
}

async function makeRoot(directory: string): Promise<false> {
  await makeDirectory(directory, async (path) => void (await mkdir(path, { mode: directoryMode() })));
  return false;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** False when there is something of this name. */
async function makeOne(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { mode: directoryMode() });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Undefined when nothing is there. A link to nothing counts as nothing: opening it never follows. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
