import { spawnSync } from "node:child_process";

/** `npm run conformance -- FILE`: runs the conformance cases of a file through tsx. */
const { status } = spawnSync(
  process.execPath,
  ["--import", "tsx", "test/conformance/run-cases.ts", ...process.argv.slice(2)],
  {
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
