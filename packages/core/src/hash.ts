import { createHash } from "node:crypto";

/** Lower-case hexadecimal SHA-256 of UTF-8 text or bytes. */
export function sha256(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex");
}
