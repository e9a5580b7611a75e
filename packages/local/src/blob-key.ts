import { AgentCompassError } from "@agentcompass/core";

/** Throws unless the key is relative, without empty parts, `.` and `..`. */
export function requireKey(key: string): string {
  const isWrong = key.includes("\0") || key.split("/").some((part) => part === "" || part === "." || part === "..");
  if (!isWrong) return key;
  const rule = "keys are relative paths with `/`, without empty parts, `.` and `..`";
  throw new AgentCompassError("internal.unexpected", `${JSON.stringify(key)} is no key of a blob store; ${rule}`);
}

export function isUnder(key: string, prefix: string): boolean {
  return prefix === "" || key === prefix || key.startsWith(`${prefix}/`);
}
