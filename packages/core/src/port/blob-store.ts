/** What a crash of the machine leaves of a value: see the contract of `BlobStore`. */
export type Durability = boolean | "whole";

/**
 * Named bytes under one root (a results directory, a bucket prefix). Keys use `/`; they are relative,
 * never empty, never contain `..`.
 *
 * Contract (testing/blob-store-suite.ts):
 * - put replaces the whole value or nothing; a reader never sees half of it.
 * - put with `durable` returns only when the value survives a crash of the machine; with `durable: "whole"` the key holds
 *   after one what it held before or this value, never a part of it.
 * - create fails with `run.exists` when the key exists, whoever wins.
 * - append adds at the end; appends of one process keep their order.
 * - move makes every key under one prefix appear under the other, the old ones gone.
 * - get of an absent key is undefined, never an error.
 * - list gives keys under a prefix in code-point order.
 */
export interface BlobStore {
  put(key: string, value: string | Uint8Array, options?: { readonly durable?: Durability }): Promise<void>;
  /** Reserves a directory-like prefix exclusively. */
  reserve(prefix: string): Promise<void>;
  append(key: string, value: string): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  list(prefix: string): Promise<string[]>;
  /** Names directly under a prefix, directories included. */
  children(prefix: string): Promise<string[]>;
  move(fromPrefix: string, toPrefix: string): Promise<void>;
  copy(fromKey: string, toKey: string): Promise<void>;
  remove(prefix: string): Promise<void>;
  /** Where a key is, for people and for `paths` in results: an absolute path or an s3:// address. */
  locate(key: string): string;
}
