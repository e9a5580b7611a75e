import { EMPTY_RUN, type ExecutionOutcome } from "../attempt/index.ts";
import { PUBLIC_NETWORK } from "../plan/index.ts";
import type { HarnessRun, PreparedTask } from "../plugin/index.ts";
import type { BlobStore } from "../port/index.ts";
import { attemptDirectory, EVALUATION_CHECKPOINT_SCHEMA, isPlainObject } from "../record/index.ts";
import type { Issue } from "../result/issue.ts";
import type { ResolvedRequest } from "../spec/resolved.ts";
import { readJson, type StoredTask } from "./stored-run.ts";

/**
 * What the agent left of attempts that were stopped before their evaluation had ended, by attempt. Empty without
 * `runtime.checkpoint_resume`, and for checkpoints that do not fit: those attempts run from the start.
 */
export async function readUnevaluated(
  store: BlobStore,
  found: StoredTask,
  request: ResolvedRequest,
): Promise<ReadonlyMap<number, ExecutionOutcome>> {
  const outcomes = new Map<number, ExecutionOutcome>();
  if (!request.runtime.checkpoint_resume || found.state !== "running" || changesEvaluation(request)) return outcomes;
  for (const attempt of found.unfinished) {
    if (attempt > request.execution.attempts.k) continue;
    const document = await readJson(store, `${found.key}/${attemptDirectory(attempt)}/checkpoint.json`);
    const section = isPlainObject(document) ? document["evaluation"] : undefined;
    const outcome = isPlainObject(section) ? outcomeOf(section, found.result.task_id, attempt) : undefined;
    if (outcome) outcomes.set(attempt, outcome);
  }
  return outcomes;
}

/** Checkpoints are of evaluations without an environment. */
function changesEvaluation(request: ResolvedRequest): boolean {
  const { evaluation_environment_mode: mode } = request.environment;
  return mode !== null && mode !== "none";
}

function outcomeOf(
  section: Readonly<Record<string, unknown>>,
  taskId: string,
  attempt: number,
): ExecutionOutcome | undefined {
  const { run_result: run, prepared_task: prepared } = section;
  const fits =
    section["schema_version"] === EVALUATION_CHECKPOINT_SCHEMA &&
    section["task_id"] === taskId &&
    section["attempt"] === attempt &&
    section["source_evaluation_mode"] === "none" &&
    section["run_completed"] === true &&
    isPublic(section["network_policy"]);
  if (!fits || !isPlainObject(run) || !isPlainObject(prepared) || prepared["task_id"] !== taskId) return undefined;
  return {
    run: { run: harnessRun(run), issues: issuesOf(run["issues"]), failed: false },
    prepared: prepared as PreparedTask,
    metrics: {},
    evaluationIssues: [],
    evaluationArtifacts: {},
    benchmarkMeta: {},
  };
}

function isPublic(policy: unknown): boolean {
  return isPlainObject(policy) && policy["network_mode"] === PUBLIC_NETWORK.network_mode;
}

function harnessRun(run: Readonly<Record<string, unknown>>): HarnessRun {
  const { final_answer, trajectory, artifacts, telemetry } = run;
  return {
    ...EMPTY_RUN,
    final_answer: final_answer ?? null,
    trajectory: isPlainObject(trajectory) && "steps" in trajectory ? (trajectory as HarnessRun["trajectory"]) : null,
    issues: issuesOf(run["issues"]),
    artifacts: isPlainObject(artifacts) ? artifacts : {},
    telemetry: isPlainObject(telemetry) ? telemetry : {},
  };
}

function issuesOf(value: unknown): readonly Issue[] {
  return Array.isArray(value) ? (value as readonly Issue[]) : [];
}
