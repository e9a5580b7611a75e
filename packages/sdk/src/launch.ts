import { AgentCompassError } from "@agentcompass/core";
import type { Orchestrated, OrchestrationResult } from "@agentcompass/core/engine";
import { dryRunPayload, type ResolvedRequest } from "@agentcompass/core/spec";
import { guarded, openEngine } from "./engine-deps.ts";
import type { LaunchOptions, RunEvaluationOptions, RunResult } from "./options.ts";
import { type LaunchSpec, type Resolved, resolveLaunch, resolveRun } from "./resolve.ts";

/**
 * Runs every request of an orchestration on this machine. Resolves with what became of each; a request that fails does not
 * reject. Rejects with AgentCompassError when the whole is refused before anything is written.
 *
 * @example
 * const result = await launch({ file: "suite.yaml" }, { taskConcurrency: 8 });
 */
export async function launch(spec: LaunchSpec, options: LaunchOptions = {}): Promise<OrchestrationResult> {
  const { result } = await carryOut(await resolveLaunch(spec, options), options);
  return result;
}

/**
 * Evaluates one benchmark x harness x model x environment and returns its result. Rejects with AgentCompassError: `run.timed_out`,
 * `run.cancelled`, `run.failed` (the message names the results directory), or what refused it.
 *
 * @example
 * const result = await runEvaluation({ benchmark: "starter", harness: "oracle", model: "none" });
 */
export async function runEvaluation(options: RunEvaluationOptions): Promise<RunResult> {
  const orchestrated = await carryOut(await resolveRun(options), options);
  const end = orchestrated.ends[0];
  if (end?.outcome.status === "completed" && end.outcome.result !== null) return end.outcome.result;
  throw end?.cause ?? new AgentCompassError("run.failed", end?.outcome.error || "the run did not complete");
}

/** The same as a result object: a request that was started and failed does not reject. */
export async function runOutcome(options: RunEvaluationOptions): Promise<OrchestrationResult> {
  const { result, ends } = await carryOut(await resolveRun(options), options);
  const cause = ends[0]?.cause;
  if (cause?.exitCode === 2) throw cause;
  return result;
}

/**
 * What a launch would run, redacted, after its components were checked; touches no data, network, container or results.
 * Rejects with AgentCompassError for the first request that a launch would refuse.
 */
export async function dryRun(
  spec: LaunchSpec,
  options: LaunchOptions = {},
): Promise<{ payload: object; warnings: readonly string[] }> {
  const [{ orchestration, catalog }, { checkDryRun }] = await Promise.all([
    resolveLaunch(spec, options),
    import("@agentcompass/core/engine"),
  ]);
  for (const request of orchestration.requests)
    try {
      await checkDryRun(request, { catalog });
    } catch (error) {
      throw inRequest(error, spec, request);
    }
  const payload = dryRunPayload(orchestration);
  const files = catalog.files ?? [];
  return {
    payload: files.length === 0 ? payload : { ...payload, components: files },
    warnings: orchestration.warnings,
  };
}

/** The refusal of one request of several, with the file and the request that it is about. */
function inRequest(error: unknown, spec: LaunchSpec, { index, name }: ResolvedRequest): unknown {
  if (!AgentCompassError.isInstance(error)) return error;
  const file = "file" in spec && typeof spec["file"] === "string" ? `${spec["file"]}: ` : "";
  const { code, data, retry, message } = error;
  return new AgentCompassError(code, `${file}requests[${index}] '${name}': ${message}`, { data, retry, cause: error });
}

async function carryOut({ orchestration, catalog }: Resolved, options: LaunchOptions): Promise<Orchestrated> {
  const { orchestrate } = await import("@agentcompass/core/engine");
  const engine = await openEngine(orchestration, catalog, options);
  try {
    guarded(options.onResolved, engine.deps.onLog)(orchestration);
    for (const message of orchestration.warnings) engine.deps.onLog({ level: "WARNING", source: "spec", message });
    return await orchestrate(
      orchestration,
      engine.deps,
      options.signal ?? new AbortController().signal,
      options.endNow,
    );
  } finally {
    await engine.close();
  }
}
