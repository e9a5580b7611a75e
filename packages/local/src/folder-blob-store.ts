import type { Dirent, Stats } from "node:fs";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { type FileHandle, readdir, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { AgentCompassError, inCodePointOrder } from "@agentcompass/core";
import type { BlobStore, Durability } from "@agentcompass/core/port";
import { AppendFiles, openForAppending } from "./append-files.ts";
import { isUnder } from "./blob-key.ts";
import { ConfinedPath } from "./confined-path.ts";
import { DirectorySync } from "./directory-sync.ts";
import { readError, systemCode, writeError } from "./file-error.ts";
import { directoryMode } from "./private-mode.ts";
import { copyWhole, isTemporary, readWhole, writeWhole } from "./whole-file.ts";

const ABSENT = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);

/** One for the process: stores come and go without being closed, and the number of open files stays bounded. */
const appendFiles = new AppendFiles();

/**
 * Blobs as files under a folder, made when first written. Throws `store.full` and `store.unwritable` with
 * the path; a symbolic link that leads outside the folder is refused.
 */
export class FolderBlobStore implements BlobStore {
  readonly #paths: ConfinedPath;
  readonly #directorySync = new DirectorySync();

  constructor(root: string) {
    this.#paths = new ConfinedPath(root);
  }

  async put(key: string, value: string | Uint8Array, options: { readonly durable?: Durability } = {}): Promise<void> {
    const path = this.#key(key);
    const { durable = false } = options;
    await this.#writing(path, async () => {
      await appendFiles.close((open) => open === path);
      await this.#withDirectory(path, () => writeWhole(path, value, durable !== false));
      if (durable === true) await this.#directorySync.syncName(path, this.#paths.root);
    });
  }

  async reserve(prefix: string): Promise<void> {
    const path = this.#key(prefix);
    await this.#writing(path, async () => {
      await this.#withDirectory(path, () => makeNew(path));
    });
  }

  async append(key: string, value: string): Promise<void> {
    const path = this.#key(key);
    const open = (): Promise<FileHandle> => this.#withDirectory(path, () => openForAppending(path));
    await this.#writing(path, () => appendFiles.append(path, value, open));
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const path = this.#key(key);
    try {
      const real = this.#paths.check(path);
      if (real === undefined) return undefined;
      // The check resolved every link; one that came since is not followed.
      return await readWhole(real);
    } catch (error) {
      if (ABSENT.has(systemCode(error) ?? "")) return undefined;
      throw readError(error, path);
    }
  }

  async list(prefix: string): Promise<string[]> {
    const start = this.#paths.of(prefix);
    const keys: string[] = [];
    for (const entry of await this.#entries(start, true)) {
      const path = join(entry.parentPath, entry.name);
      if (this.#isFile(entry, path)) keys.push(relative(this.#paths.root, path).split(sep).join("/"));
    }
    return inCodePointOrder(keys);
  }

  async children(prefix: string): Promise<string[]> {
    const entries = await this.#entries(this.#paths.of(prefix), false);
    return inCodePointOrder(entries.map((entry) => entry.name));
  }

  async move(fromPrefix: string, toPrefix: string): Promise<void> {
    const [from, to] = [this.#key(fromPrefix), this.#key(toPrefix)];
    await this.#writing(to, async () => {
      await appendFiles.close((path) => isUnder(path, from) || isUnder(path, to));
      this.#paths.checkDirectory(dirname(from));
      if (found(from) === undefined) return;
      this.#forget((directory) => isUnder(directory, from) || isUnder(directory, to));
      await this.#withDirectory(to, () => moveOver(from, to));
    });
  }

  async copy(fromKey: string, toKey: string): Promise<void> {
    const [from, to] = [this.#key(fromKey), this.#key(toKey)];
    this.#paths.check(from);
    if (found(from)?.isFile() !== true) {
      throw new AgentCompassError("run.unreadable", `cannot copy ${from}: it does not exist`, { data: { path: from } });
    }
    await this.#writing(to, async () => {
      await appendFiles.close((path) => path === to);
      await this.#withDirectory(to, () => copyWhole(from, to));
    });
  }

  async remove(prefix: string): Promise<void> {
    const path = this.#key(prefix);
    await this.#writing(path, async () => {
      await appendFiles.close((open) => isUnder(open, path));
      this.#paths.check(dirname(path));
      this.#forget((directory) => isUnder(directory, path));
      await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
        if (!ABSENT.has(systemCode(error) ?? "")) throw error;
      });
    });
  }

  locate(key: string): string {
    return this.#paths.of(key);
  }

  /** Closes the files that are open for appending; the store stays usable. */
  async close(): Promise<void> {
    await appendFiles.close((path) => isUnder(path, this.#paths.root));
  }

  /** The path of a key that is not empty. */
  #key(key: string): string {
    const path = this.#paths.of(key);
    if (key !== "") return path;
    throw new AgentCompassError("internal.unexpected", '"" is no key of a blob store; keys are never empty');
  }

  async #writing(path: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw writeError(error, path);
    }
  }

  /** Makes the directory where it is missing, then writes; once more when somebody removed it meanwhile. */
  async #withDirectory<T>(path: string, write: () => Promise<T> | T): Promise<T> {
    const directory = dirname(path);
    await this.#paths.makeDirectory(directory);
    try {
      return await write();
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
      this.#forget(() => true);
      await this.#paths.makeDirectory(directory);
      return await write();
    }
  }

  #forget(matches: (directory: string) => boolean): void {
    this.#paths.forget(matches);
    this.#directorySync.forget(matches);
  }

  async #entries(directory: string, recursive: boolean): Promise<Dirent[]> {
    try {
      this.#paths.check(directory);
      const entries = await readdir(directory, { withFileTypes: true, recursive });
      return entries.filter((entry) => !isTemporary(entry.name));
    } catch (error) {
      if (ABSENT.has(systemCode(error) ?? "")) return [];
      throw readError(error, directory);
    }
  }

  /** A link counts when it leads to a file inside the folder. */
  #isFile(entry: Dirent, path: string): boolean {
    if (!entry.isSymbolicLink()) return entry.isFile();
    try {
      this.#paths.check(path);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  }
}

function makeNew(directory: string): void {
  try {
    mkdirSync(directory, { mode: directoryMode() });
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? existsError(directory) : error;
  }
}

/** Undefined when nothing is there, or nothing that may be looked at. */
function found(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Renames; onto a directory that holds something, the entries one by one. */
function moveOver(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== "ENOTEMPTY" && systemCode(error) !== "EEXIST") throw error;
    for (const name of readdirSync(from)) moveOver(join(from, name), join(to, name));
    rmSync(from, { recursive: true });
  }
}

function existsError(path: string): AgentCompassError {
  return new AgentCompassError("run.exists", `${path} exists already; choose another name`, { data: { path } });
}
