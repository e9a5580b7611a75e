import { AgentCompassError } from "@agentcompass/core";

/** Throws unless the key is relative, without empty parts, `.` and `..`. */
export function requireKey(key: string): string {
  const isWrong = key.includes("\0") || key.split("/").some((part) => part === "" || part === "." || part === "..");
  if (!isWrong) return key;
  const rule = "keys are relative paths with `/`, without empty parts, `.` and `..`";
  throw new AgentCompassError("internal.unexpected", `${JSON.stringify(key)} is no key of a blob store; ${rule}`);
}

/** UTF-8 keeps the order of code points, which JavaScript's own comparison of strings does not. */
export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

export function isUnder(key: string, prefix: string): boolean {
  return prefix === "" || key === prefix || key.startsWith(`${prefix}/`);
}
