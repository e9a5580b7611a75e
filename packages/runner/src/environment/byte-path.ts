/** A path with one character a byte: a name on a disk need not be UTF-8, and text made of it would name nothing. */
export type BytePath = string;

export function bytePath(path: string): BytePath {
  return Buffer.from(path).toString("latin1");
}

/** The form that the system takes. */
export function systemPath(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}
