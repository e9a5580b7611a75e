import { AgentCompassError, type ErrorCode, errorText, firstLine } from "../error.ts";
import { isoSeconds, RUN_FILES } from "../record/index.ts";
import { resultObject } from "../result/index.ts";
import { redact, redactAddress } from "../spec/index.ts";
import type { ResolvedRequest } from "../spec/resolved.ts";
import type { EngineDeps } from "./deps.ts";
import type { RequestEnd, RequestStatus } from "./outcome.ts";
import { outcomeUsage } from "./outcome-usage.ts";
import type { RequestRun } from "./request-run.ts";
import { timeoutsAndAttempts } from "./run-info.ts";
import {
  fatalNotes,
  generalNotes,
  isUnreached,
  lastFailure,
  sameFatal,
  unavailableNotes,
  unreachedWords,
} from "./run-notes.ts";
import { type Score, scoreRun, writeScore } from "./score.ts";

/** The end of a request that never got a run directory. */
export function endRequest(request: ResolvedRequest, status: RequestStatus, error: unknown): RequestEnd {
  const cause = AgentCompassError.isInstance(error) ? error : undefined;
  const outcome = {
    name: request.name,
    status,
    result: null,
    error: firstLine(errorText(error)),
    paths: {},
    usage: null,
  };
  return { outcome, cause: cause ?? new AgentCompassError(codeOf(status), outcome.error, { cause: error }) };
}

function codeOf(status: RequestStatus): ErrorCode {
  if (status === "timed_out") return "run.timed_out";
  return status === "cancelled" ? "run.cancelled" : "run.failed";
}

/** Computes and writes the report of a request whose tasks have ended, then its terminal status. */
export async function finalizeRequest(run: RequestRun, deps: EngineDeps): Promise<RequestEnd> {
  if (run.failure !== undefined) return terminate(run, deps, "failed", run.failure, null);
  try {
    run.recorder.emit({ event: "summary_started" });
    const unreached = isUnreached(run);
    const general = generalNotes(run, unreached);
    const score = scoreRun({
      benchmarkId: run.checked.request.benchmark.id,
      modelId: run.checked.request.model.id,
      contract: run.checked.benchmark.metrics,
      plan: run.checked.request.execution.attempts,
      benchmarkParams: run.checked.params.benchmark,
      tasks: run.results,
      measurements: run.measurements,
      officialScore: !unreached && run.earlyEnd === undefined,
      notes: [...general, ...fatalNotes(run), ...unavailableNotes(run)],
    });
    await writeScore(run.store, score);
    // What notes say of single tasks stands in the log as their issues.
    for (const message of general) run.recorder.log({ level: "WARNING", source: "score", message });
    run.info.report = {
      generatedAt: isoSeconds(deps.clock, deps.clock.now()),
      k: score.report.k,
      strategy: score.report.strategy,
      aggregation: score.report.aggregation,
    };
    const failure = failureOf(run, score, unreached);
    return await terminate(run, deps, failure ? "failed" : "completed", failure, score);
  } catch (error) {
    return terminate(run, deps, "failed", error, null);
  }
}

/** The end of a request that was stopped: what is finished stays, no report is written. */
export async function stopRequest(
  run: RequestRun,
  deps: EngineDeps,
  stopped: Error & { readonly kind: "timed_out" | "cancelled" },
): Promise<RequestEnd> {
  return terminate(run, deps, stopped.kind, new AgentCompassError(codeOf(stopped.kind), stopped.message), null);
}

function failureOf(run: RequestRun, score: Score, unreached: boolean): AgentCompassError | undefined {
  const where = run.store.locate("");
  if (unreached) {
    const { base_url } = run.checked.request.model;
    return new AgentCompassError(
      "run.failed",
      `the model at ${redactAddress(base_url) || "the default endpoint"} ${unreachedWords(run)}: ${lastFailure(run)}; no official score; results: ${where}`,
    );
  }
  if (run.earlyEnd?.kind === "same_fatal")
    return new AgentCompassError("run.failed", `${sameFatal(run, run.earlyEnd)}; results: ${where}`);
  if (!score.report.evaluation_failed) return undefined;
  const recorded = `Final FATAL issues; results: ${where}`;
  const [first] = fatalNotes(run);
  return new AgentCompassError("run.failed", first ? `${recorded}; ${first}` : recorded, { data: { recorded } });
}

/** Writes the terminal status once, then closes the run's files. A status that cannot be written makes the request failed. */
async function terminate(
  run: RequestRun,
  deps: EngineDeps,
  status: RequestStatus,
  error: unknown,
  score: Score | null,
): Promise<RequestEnd> {
  const text = error === undefined ? "" : run.redact(firstLine(errorText(error)));
  const recorded = recordedText(error, text);
  run.issueLog.finish();
  run.info.terminal = { status, finishedAt: isoSeconds(deps.clock, deps.clock.now()), error: recorded };
  run.recorder.emit({ event: "run_finished", status, payload: recorded ? { error: recorded } : {} });
  run.recorder.log({
    level: status === "completed" ? "INFO" : "ERROR",
    source: "run",
    message: `${status === "completed" ? "✓" : "✗"} Evaluation finished | status=${status} | results=${run.store.locate("")}${text ? ` | ${text}` : ""}`,
  });
  const paths = pathsOf(run, score);
  const result = score && toResult(run, score, paths);
  const usage = outcomeUsage(run.measurements);
  const outcome = { name: run.checked.request.name, status, result, error: text, paths, usage };
  const cause = error === undefined ? {} : { cause: asError(error, status, text) };
  try {
    await run.infoWriter.finish();
    await run.recorder.finish();
    return { outcome, ...cause };
  } catch (writing) {
    const broken = run.redact(firstLine(errorText(writing)));
    return {
      outcome: { ...outcome, status: status === "completed" ? "failed" : status, error: text || broken },
      cause: cause.cause ?? asError(writing, "failed", broken),
    };
  }
}

/** What run_info.json and progress.jsonl say: AgentCompass's own words where it has some. */
function recordedText(error: unknown, text: string): string {
  const recorded = AgentCompassError.isInstance(error) ? error.data["recorded"] : undefined;
  return typeof recorded === "string" ? recorded : text;
}

function asError(error: unknown, status: RequestStatus, text: string): AgentCompassError {
  return AgentCompassError.isInstance(error) ? error : new AgentCompassError(codeOf(status), text, { cause: error });
}

function pathsOf(run: RequestRun, score: Score | null): Readonly<Record<string, string>> {
  const at = (name: string): string => run.store.locate(name);
  return {
    ...(score && { summary_md: at(RUN_FILES.summary), metrics_json: at(RUN_FILES.metrics) }),
    params: at(RUN_FILES.params),
    run_info: at(RUN_FILES.runInfo),
    progress_jsonl: at(RUN_FILES.progressEvents),
    progress_json: at(RUN_FILES.progress),
    log_file: at(RUN_FILES.log),
    output_dir: run.store.locate(""),
  };
}

function toResult(
  run: RequestRun,
  score: Score,
  paths: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const { request } = run.checked;
  const { output_dir: _directory, ...files } = paths;
  const evaluationParams = redact({
    benchmark: request.benchmark,
    harness: { id: request.harness.id },
    model: request.model,
    output: request.output,
    runtime: request.runtime,
    execution: timeoutsAndAttempts(request),
    metadata: request.metadata,
    _resolved_run_id: run.runId,
  });
  return resultObject({
    model: request.model.id,
    totalTasks: run.loaded.tasks.length,
    environmentId: request.environment.id,
    evaluationParams,
    report: score.report,
    statistics: score.statistics,
    paths: files,
    appliedRecipes: appliedRecipes(run),
  });
}

/** Recipes that changed the plan of any attempt, in the order in which they are tried. */
function appliedRecipes({ info, checked }: RequestRun): readonly string[] {
  const applied = new Set<string>();
  for (const attempts of info.plans.values())
    for (const plan of attempts.values()) for (const id of plan.applied_recipes) applied.add(id);
  return checked.recipes.map((recipe) => recipe.id).filter((id) => applied.has(id));
}
