import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
const MAX_OPEN = 64;

/** Texts that wait for the write in progress; written together, and failing together. */
type Batch = { readonly texts: string[]; readonly written: Promise<void> };

type Appending = {
  handle: FileHandle | undefined;
  waiting: Batch | undefined;
  /** The latest write, or the closing of an earlier handle of the same path. */
  last: Promise<unknown>;
};

/**
 * Files open for appending, one handle a path, the least recently used closed beyond 64. Texts appended
 * while a write runs are written together by the next one, in order.
 */
export class AppendFiles {
  readonly #files = new Map<string, Appending>();
  readonly #closing = new Map<string, Promise<void>>();

  /** Resolves when the text is in the file. `open` opens it when it is not open yet, see `openForAppending`. */
  append(path: string, text: string, open: () => Promise<FileHandle>): Promise<void> {
    const file = this.#touch(path);
    if (file.waiting !== undefined) {
      file.waiting.texts.push(text);
      return file.waiting.written;
    }
    const texts = [text];
    const write = async (): Promise<void> => {
      file.waiting = undefined;
      file.handle ??= await open();
      await writeOrUndo(file.handle, Buffer.from(texts.join("")));
    };
    const written = file.last.then(write, write);
    file.waiting = { texts, written };
    file.last = written;
    return written;
  }

  /** Waits for what is being written and closes the files that match, so that they can be moved or removed. */
  async close(matches: (path: string) => boolean = () => true): Promise<void> {
    const closing = [...this.#files].filter(([path]) => matches(path)).map(([path, file]) => this.#close(path, file));
    const others = [...this.#closing].filter(([path]) => matches(path)).map(([, ended]) => ended);
    await Promise.all([...closing, ...others]);
  }

  #touch(path: string): Appending {
    const last = this.#closing.get(path) ?? Promise.resolve();
    const file = this.#files.get(path) ?? { handle: undefined, waiting: undefined, last };
    this.#files.delete(path);
    this.#files.set(path, file);
    for (const [oldest, other] of this.#files) {
      if (this.#files.size <= MAX_OPEN) break;
      this.#close(oldest, other).catch(() => undefined);
    }
    return file;
  }

  #close(path: string, file: Appending): Promise<void> {
    this.#files.delete(path);
    const close = (): Promise<void> | undefined => file.handle?.close();
    const closed = file.last.then(close, close).finally(() => {
      if (this.#closing.get(path) === closed) this.#closing.delete(path);
    });
    this.#closing.set(path, closed);
    return closed;
  }
}

/** Opens a file, made when missing; a link is not followed. */
export function openForAppending(path: string): Promise<FileHandle> {
  return open(path, FLAGS, 0o666);
}

/** On a full disk a part may have been written: it is cut off, for half a line would spoil the next one. */
async function writeOrUndo(handle: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  try {
    while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
  } catch (error) {
    if (written > 0) await handle.truncate((await handle.stat()).size - written);
    throw error;
  }
}
