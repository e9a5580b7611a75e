import { AgentCompassError } from "../src/error.ts";
import type { BlobStore } from "../src/port/index.ts";
import { inCodePointOrder } from "../src/result/code-point-order.ts";

/** A BlobStore over a map. `reserve` leaves a mark, as an empty directory would. */
export class MemoryBlobStore implements BlobStore {
  readonly #values = new Map<string, Uint8Array>();
  readonly #reserved = new Set<string>();
  readonly #root: string;

  /** `root` is only for `locate`. */
  constructor(root = "/memory") {
    this.#root = root;
  }

  async put(key: string, value: string | Uint8Array): Promise<void> {
    this.#values.set(checked(key), typeof value === "string" ? Buffer.from(value) : Uint8Array.from(value));
  }

  async reserve(prefix: string): Promise<void> {
    checked(prefix);
    if (this.#values.has(prefix) || this.#directories().has(prefix)) {
      throw new AgentCompassError("run.exists", `${this.locate(prefix)} exists already; choose another name`, {
        data: { path: this.locate(prefix) },
      });
    }
    this.#reserved.add(prefix);
  }

  async append(key: string, value: string): Promise<void> {
    const before = this.#values.get(checked(key)) ?? new Uint8Array();
    this.#values.set(key, Buffer.concat([before, Buffer.from(value)]));
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return this.#values.get(checked(key));
  }

  /** The text of a key, for assertions. */
  text(key: string): string | undefined {
    const value = this.#values.get(key);
    return value && Buffer.from(value).toString("utf8");
  }

  async list(prefix: string): Promise<string[]> {
    return inCodePointOrder([...this.#values.keys()].filter((key) => isUnder(key, prefix)));
  }

  async children(prefix: string): Promise<string[]> {
    const start = prefix === "" ? 0 : prefix.length + 1;
    const paths = [...this.#values.keys(), ...this.#directories()].filter((path) => isUnder(path, prefix));
    return inCodePointOrder([...new Set(paths.map((path) => path.slice(start).split("/", 1)[0] ?? ""))]);
  }

  async move(fromPrefix: string, toPrefix: string): Promise<void> {
    const rename = (path: string): string => checked(toPrefix) + path.slice(checked(fromPrefix).length);
    const isMoved = (path: string): boolean => path === fromPrefix || isUnder(path, fromPrefix);
    for (const [key, value] of [...this.#values].filter(([key]) => isMoved(key))) {
      this.#values.delete(key);
      this.#values.set(rename(key), value);
    }
    for (const directory of [...this.#reserved].filter(isMoved)) {
      this.#reserved.delete(directory);
      this.#reserved.add(rename(directory));
    }
  }

  async copy(fromKey: string, toKey: string): Promise<void> {
    const value = this.#values.get(checked(fromKey));
    if (value === undefined) {
      throw new AgentCompassError("run.unreadable", `cannot copy ${this.locate(fromKey)}: it does not exist`);
    }
    this.#values.set(checked(toKey), Uint8Array.from(value));
  }

  async remove(prefix: string): Promise<void> {
    checked(prefix);
    for (const paths of [this.#values, this.#reserved]) {
      for (const path of [...paths.keys()]) if (path === prefix || isUnder(path, prefix)) paths.delete(path);
    }
  }

  locate(key: string): string {
    return key === "" ? this.#root : `${this.#root}/${checked(key)}`;
  }

  #directories(): Set<string> {
    const directories = new Set(this.#reserved);
    for (const path of [...this.#values.keys(), ...this.#reserved]) {
      for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
        directories.add(path.slice(0, end));
      }
    }
    return directories;
  }
}

function isUnder(path: string, prefix: string): boolean {
  return prefix === "" || path.startsWith(`${prefix}/`);
}

function checked(key: string): string {
  const isWrong = key.includes("\0") || key.split("/").some((part) => part === "" || part === "." || part === "..");
  if (isWrong) throw new AgentCompassError("internal.unexpected", `${JSON.stringify(key)} is no key of a blob store`);
  return key;
}
