import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { syncFile } from "./whole-file.ts";

/** More than tasks under way need; one that is forgotten costs another sync. */
const MAX_SETTLED = 1_000;

/**
 * Makes the names in directories survive a crash. Calls for one directory that come while a sync of it
 * runs share the next one, so that many files written at once cost few syncs.
 */
export class DirectorySync {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();
  /** Directories whose own names are on the disk, up to the root. */
  readonly #settled = new Set<string>();

  /** Makes the name of a path survive, with those of the directories between it and the root. */
  async syncName(path: string, root: string): Promise<void> {
    const syncs = [this.sync(dirname(path))];
    const fresh: string[] = [];
    for (let directory = dirname(path); !this.#settled.has(directory); directory = dirname(directory)) {
      fresh.push(directory);
      if (directory === root) {
        // What is above the root may be closed to us, and was there before or is the caller's affair.
        syncs.push(this.sync(dirname(root)).catch(() => undefined));
        break;
      }
      syncs.push(this.sync(dirname(directory)));
    }
    await Promise.all(syncs);
    if (this.#settled.size >= MAX_SETTLED) this.#settled.clear();
    for (const directory of fresh) this.#settled.add(directory);
  }

  /** Directories that are moved or removed have to be synced anew when they come again. */
  forget(matches: (directory: string) => boolean): void {
    for (const directory of this.#settled) if (matches(directory)) this.#settled.delete(directory);
  }

  sync(directory: string): Promise<void> {
    const running = this.#running.get(directory);
    if (running === undefined) return this.#start(directory);
    const known = this.#next.get(directory);
    if (known !== undefined) return known;
    const again = (): Promise<void> => {
      this.#next.delete(directory);
      return this.#start(directory);
    };
    const next = running.then(again, again);
    this.#next.set(directory, next);
    return next;
  }

  #start(directory: string): Promise<void> {
    const run = syncDirectory(directory).finally(() => {
      if (this.#running.get(directory) === run) this.#running.delete(directory);
    });
    this.#running.set(directory, run);
    return run;
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const descriptor = openSync(directory, "r");
  try {
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
