import type { BlobStore } from "../port/index.ts";

/** The part of a store below a prefix, as a store of its own. */
export function scopedStore(store: BlobStore, prefix: string): BlobStore {
  const below = (key: string): string => (key === "" ? prefix : `${prefix}/${key}`);
  return {
    put: (key, value, options) => store.put(below(key), value, options),
    reserve: (key) => store.reserve(below(key)),
    append: (key, value) => store.append(below(key), value),
    get: (key) => store.get(below(key)),
    list: async (key) => (await store.list(below(key))).map((found) => found.slice(prefix.length + 1)),
    children: (key) => store.children(below(key)),
    move: (from, to) => store.move(below(from), below(to)),
    copy: (from, to) => store.copy(below(from), below(to)),
    remove: (key) => store.remove(below(key)),
    locate: (key) => store.locate(below(key)),
  };
}
