/**
 * Keeps the first and the last half of a byte stream within a limit and counts what lies between; memory stays flat
 * whatever is written.
 */
export class BoundedOutput {
  readonly #limit: { readonly head: number; readonly tail: number };
  #head: Buffer = Buffer.alloc(0);
  #headLength = 0;
  #tail: Buffer = Buffer.alloc(0);
  #tailEnd = 0;
  #tailTotal = 0;

  constructor(maxBytes: number) {
    const head = Math.ceil(maxBytes / 2);
    this.#limit = { head, tail: Math.max(0, Math.floor(maxBytes) - head) };
  }

  push(chunk: Buffer): void {
    const room = this.#limit.head - this.#headLength;
    if (room > 0) this.#pushHead(chunk.subarray(0, room));
    if (chunk.length > room) this.#pushTail(chunk.subarray(Math.max(0, room)));
  }

  #pushHead(chunk: Buffer): void {
    const needed = this.#headLength + chunk.length;
    if (needed > this.#head.length) {
      const larger = Buffer.alloc(Math.min(this.#limit.head, Math.max(needed, this.#head.length * 2, 1024)));
      this.#head.copy(larger, 0, 0, this.#headLength);
      this.#head = larger;
    }
    chunk.copy(this.#head, this.#headLength);
    this.#headLength = needed;
  }

  #pushTail(chunk: Buffer): void {
    this.#tailTotal += chunk.length;
    const size = this.#limit.tail;
    if (size === 0) return;
    if (this.#tail.length === 0) this.#tail = Buffer.alloc(size);
    const kept = chunk.subarray(Math.max(0, chunk.length - size));
    const first = Math.min(kept.length, size - this.#tailEnd);
    kept.copy(this.#tail, this.#tailEnd, 0, first);
    kept.copy(this.#tail, 0, first);
    this.#tailEnd = (this.#tailEnd + kept.length) % size;
  }

  /** Bytes that were pushed but are not kept. */
  get droppedBytes(): number {
    return Math.max(0, this.#tailTotal - this.#limit.tail);
  }

  /** What is kept, as UTF-8 with replacement characters, and a marker line where bytes were dropped. */
  text(): string {
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#keptTail();
    const dropped = this.droppedBytes;
    if (dropped === 0) return Buffer.concat([head, tail]).toString("utf8");
    return `${head.toString("utf8")}\n[${dropped} bytes dropped]\n${tail.toString("utf8")}`;
  }

  #keptTail(): Buffer {
    if (this.#tailTotal < this.#tail.length) return this.#tail.subarray(0, this.#tailTotal);
    return Buffer.concat([this.#tail.subarray(this.#tailEnd), this.#tail.subarray(0, this.#tailEnd)]);
  }
}
