import { AgentCompassError, errorText } from "@agentcompass/core";

const FULL = new Set(["ENOSPC", "EDQUOT"]);
const UNWRITABLE = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOTDIR",
  "EEXIST",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOENT",
]);

/** The code of a failed system call, for instance ENOENT. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Says for people why a path could not be written; errors of other kinds stay as they are. */
export function writeError(error: unknown, path: string): unknown {
  const code = systemCode(error) ?? "";
  const options = { data: { path, reason: code }, cause: error };
  if (FULL.has(code)) {
    return new AgentCompassError("store.full", `the disk is full: could not write ${path}; free some space`, options);
  }
  if (UNWRITABLE.has(code)) {
    const message = `cannot write ${path} (${reasonText(code, error)}); choose another directory or change its permissions`;
    return new AgentCompassError("store.unwritable", message, options);
  }
  return error;
}

/** Says for people why a path could not be read; errors of other kinds stay as they are. */
export function readError(error: unknown, path: string): unknown {
  const code = systemCode(error) ?? "";
  if (code !== "EACCES" && code !== "EPERM") return error;
  const options = { data: { path, reason: code }, cause: error };
  return new AgentCompassError(
    "file.unreadable",
    `cannot read ${path} (${reasonText(code, error)}); change its permissions`,
    options,
  );
}

function reasonText(code: string, error: unknown): string {
  const texts: Record<string, string> = {
    EACCES: "permission denied",
    EPERM: "operation not permitted",
    EROFS: "read-only file system",
    ENOTDIR: "a part of the path is a file, not a directory",
    EEXIST: "a part of the path is a file, not a directory",
    EISDIR: "it is a directory",
    ENAMETOOLONG: "a name in it is longer than the file system takes",
    ENOENT: "no directory can be made there",
    ELOOP: "it is a symbolic link",
  };
  return texts[code] ?? errorText(error);
}
