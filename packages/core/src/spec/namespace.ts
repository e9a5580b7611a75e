import type { ResolvedRequest } from "./resolved.ts";
import { refuse } from "./validate.ts";

/** Every run of characters outside `A-Za-z0-9._=-` becomes `_`. */
export function sanitizeName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._=-]+/g, "_");
}

/** Directory of a run with this id. Throws `spec.invalid` for an id of dots alone. */
export function runDirectoryName(runId: string): string {
  const name = sanitizeName(runId);
  if (!/^\.+$/.test(name)) return name;
  throw refuse({ path: "output.run_id" }, `'${runId}' cannot name a directory; use letters and digits`);
}

/** Levels of a run name: split at / and \, without empty ones, `.` and `..`. */
function levels(runName: string): string[] {
  return runName
    .split(/[\\/]+/)
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .map(sanitizeName);
}

type Named = Pick<ResolvedRequest, "name" | "output" | "model" | "benchmark" | "harness" | "metadata">;

/**
 * Directory of a request's runs below the results directory: the levels of its run name, then its own name when it was launched,
 * or `<model>_<benchmark>_<harness>` for a single run (reference 3.6).
 */
export function outputNamespace(request: Named): string {
  const launched = request.metadata["request_name"] !== undefined;
  const own = launched
    ? sanitizeName(request.name)
    : [request.model.id, request.benchmark.id, request.harness.id].map(sanitizeName).join("_");
  return [...levels(request.output.run_name), own].join("/");
}
