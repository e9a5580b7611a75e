import { constants } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { type BytePath, systemPath } from "./byte-path.ts";
import type { SessionUser } from "./session-user.ts";

export type FileCopy = {
  readonly from: BytePath;
  /** Nothing is there. */
  readonly to: BytePath;
  readonly mode: number;
  /** The copy goes to this user's session. */
  readonly owner?: SessionUser | undefined;
  /** The original is in a session. */
  readonly untrusted: boolean;
};

// Without waiting: what was a file when it was looked at may be a pipe by now.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const BUFFER_BYTES = 256 * 1024;

/**
 * Copies one file. A command of the session may swap a directory for a link while it is copied: a file that was reached by such a
 * way is refused with an Error before anything of it is read or written.
 */
export async function copyBytes(copy: FileCopy): Promise<void> {
  const source = await open(systemPath(copy.from), READ);
  try {
    if (copy.untrusted) await requireAt(source, copy.from);
    if (!(await source.stat()).isFile()) return;
    await writeCopy(source, copy);
  } finally {
    await source.close();
  }
}

async function writeCopy(source: FileHandle, { to, mode, owner }: FileCopy): Promise<void> {
  const target = await open(systemPath(to), MAKE, 0o600);
  try {
    if (owner) await requireAt(target, to);
    const buffer = Buffer.alloc(BUFFER_BYTES);
    for (;;) {
      const { bytesRead } = await source.read(buffer);
      if (bytesRead === 0) break;
      await target.writeFile(buffer.subarray(0, bytesRead));
    }
    await target.chmod(mode);
    if (owner) await target.chown(owner.uid, owner.gid);
  } finally {
    await target.close();
  }
}

/** The open file cannot be swapped any more: where it is, is where it stays. */
async function requireAt(file: FileHandle, path: BytePath): Promise<void> {
  if (process.platform !== "linux") return;
  const real = await readlink(`/proc/self/fd/${file.fd}`, "latin1");
  if (real !== path) throw new Error(`${path} was moved while it was copied`);
}
