const BLOCK = 512;

/** What the tar reader does not tell of a stream that passes by: its length, its end mark, and the commit that git noted. */
export class TarWatch {
  bytes = 0;
  #start: Buffer = Buffer.alloc(0);
  #end: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.#start.length < 2 * BLOCK)
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, 2 * BLOCK - this.#start.length)]);
    this.#end = Buffer.concat([this.#end, chunk.subarray(-2 * BLOCK)]).subarray(-2 * BLOCK);
  }

  /** A whole tar ends in two blocks of zeros. */
  get hasEnd(): boolean {
    return this.#end.length === 2 * BLOCK && this.#end.every((byte) => byte === 0);
  }

  /** `git archive` puts the commit into the comment of a global header at the start. */
  commit(): string | undefined {
    if (this.#start.length < 2 * BLOCK || this.#start[156] !== "g".charCodeAt(0)) return undefined;
    const header = this.#start.subarray(BLOCK).toString("latin1");
    return /^\d+ comment=([0-9a-f]{40})\n/m.exec(header)?.[1];
  }
}
