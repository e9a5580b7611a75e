import { mkdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import { makeDirectory } from "@agentcompass/core/port";
import { requireKey } from "./blob-key.ts";
import { systemCode } from "./file-error.ts";
import { directoryMode } from "./private-mode.ts";

/**
 * Paths under one directory: a symbolic link that leads outside is refused, wherever it stands on the way. Looking at names is
 * done synchronously: it takes microseconds, a trip through Node's thread pool many times that.
 */
export class ConfinedPath {
  readonly root: string;
  #realRoot: string | undefined;

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

  /** Makes the directory and its parents. */
  async makeDirectory(directory: string): Promise<void> {
    this.check(directory);
    await makeDirectory(resolve(directory), async (path) => mkdirSync(path, { mode: directoryMode() }));
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
