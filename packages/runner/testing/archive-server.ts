import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

/** One entry of an archive that a test makes; the content of a file, or what the header says. */
export type ArchiveEntry = { readonly name: string; readonly content?: string | Uint8Array } & Partial<Header>;

/** The bytes of a .tar.gz; with `commit` it starts as `git archive` starts one. */
export async function tarGz(entries: readonly ArchiveEntry[], commit?: string): Promise<Buffer> {
  return gzipSync(await tarOf(entries, commit));
}

async function tarOf(entries: readonly ArchiveEntry[], commit: string | undefined): Promise<Buffer> {
  const packing = pack();
  for (const { content, ...header } of entries) {
    const bytes = Buffer.from(content ?? "");
    packing.entry(header, bytes);
  }
  packing.finalize();
  const chunks: Buffer[] = commit === undefined ? [] : [globalHeader(commit)];
  for await (const chunk of packing as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The two blocks with which `git archive` notes its commit. */
function globalHeader(commit: string): Buffer {
  const header = Buffer.alloc(1024);
  const comment = `52 comment=${commit}\n`;
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write("pax_global_header", 0);
  header.write(octal(0o666, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(comment.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write("        g", 148);
  header.write("ustar\x0000", 257);
  header.write(
    `${octal(
      header.subarray(0, 512).reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  header.write(comment, 512);
  return header;
}

export type ArchiveServer = AsyncDisposable & {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Paths that were asked for. */
  readonly requests: string[];
};

/** A loopback server that answers as the test says. */
export async function startArchiveServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ArchiveServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
