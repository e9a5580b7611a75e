import { execFileSync } from "node:child_process";

/** The CLI tests drive the built command, so it is built from the sources as they are. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: ["ignore", "ignore", "ignore"] });
}
