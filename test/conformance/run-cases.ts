import { readFileSync } from "node:fs";
import { type MetricsCase, runMetricsCase } from "./metrics-case.ts";
import { type ResolveCase, runResolveCase } from "./resolve-case.ts";

/** Runs every case of one file, of either form, and prints what disagrees; the last line counts. */
function main(path: string | undefined): number {
  if (path === undefined) return usage("give a file of cases");
  let cases: unknown;
  try {
    cases = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return usage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(cases) || cases.length === 0) return usage(`${path} holds no list of cases`);
  let failed = 0;
  for (const one of cases as (MetricsCase | ResolveCase)[]) {
    const differences = "orchestration" in one ? runResolveCase(one) : runMetricsCase(one);
    if (differences.length === 0) continue;
    failed += 1;
    process.stdout.write(`${one.name}: ${differences.join("; ")}\n`);
  }
  process.stdout.write(`${cases.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

function usage(message: string): number {
  process.stderr.write(`Error: ${message}; usage: npm run conformance -- FILE\n`);
  return 2;
}

process.exitCode = main(process.argv[2]);
