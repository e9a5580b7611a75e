/** Every directory from the root down to this absolute path, the path itself last. */
export function ancestorsOf(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((_part, index) => `/${parts.slice(0, index + 1).join("/")}`);
}

/**
 * Makes an absolute directory and its parents with `mkdir` of one directory; returns the first that was made. Unlike Node's recursive
 * mkdir it ends where a parent exists and yet takes no directory, as below /proc.
 */
export async function makeDirectory(
  path: string,
  mkdir: (path: string) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    return (await isMade(mkdir(path))) ? path : undefined;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  let first: string | undefined;
  for (const part of ancestorsOf(path)) if (await isMade(mkdir(part))) first ??= part;
  return first;
}

async function isMade(made: Promise<unknown>): Promise<boolean> {
  try {
    await made;
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
