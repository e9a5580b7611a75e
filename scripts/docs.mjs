/** Writes docs/reference from the schemas, the error table and the commands; `--check` only compares. */
import { register } from "tsx/esm/api";

register();
const { checkReference, writeReference } = await import("./docs-reference.ts");

if (process.argv.includes("--check")) {
  const stale = await checkReference();
  if (stale.length > 0) {
    console.error(
      `docs/reference is out of date (${stale.join(", ")}): run npm run docs:generate and commit the result`,
    );
    process.exitCode = 1;
  }
} else await writeReference();
