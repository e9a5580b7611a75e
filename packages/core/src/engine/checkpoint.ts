import type { EvaluationCheckpoint, RunOutcome } from "../attempt/index.ts";
import { PUBLIC_NETWORK } from "../plan/index.ts";
import type { TaskSpec } from "../plugin/index.ts";
import { CHECKPOINT_SCHEMA, EVALUATION_CHECKPOINT_SCHEMA } from "../record/index.ts";
import { statusFromIssues } from "../result/issue.ts";

/** The run's own result, before any evaluation, in AgentCompass's form. */
export function runResultDocument(outcome: RunOutcome, task: TaskSpec): object {
  const { run } = outcome;
  return {
    task_id: task.task_id,
    status: statusFromIssues(outcome.issues),
    category: outcome.failed ? task.category : null,
    final_answer: run.final_answer ?? null,
    ground_truth: null,
    trajectory: run.trajectory,
    issues: outcome.issues,
    artifacts: run.artifacts,
    metrics: {},
    telemetry: run.telemetry,
    meta: null,
    extra: {},
  };
}

export type CheckpointFacts = {
  readonly task: TaskSpec;
  readonly attempt: number;
  readonly runId: string;
  /** Key of the attempt's artifacts below the run. */
  readonly directory: string;
};

/** checkpoint.json: what an evaluation needs to be repeated without the agent; without one it holds only its schema. */
export function evaluationSection(saved: EvaluationCheckpoint | undefined, facts: CheckpointFacts): object {
  if (!saved) return { schema_version: CHECKPOINT_SCHEMA };
  return {
    schema_version: CHECKPOINT_SCHEMA,
    evaluation: {
      schema_version: EVALUATION_CHECKPOINT_SCHEMA,
      task_id: facts.task.task_id,
      attempt: facts.attempt,
      source_run_id: facts.runId,
      source_evaluation_mode: "none",
      run_completed: true,
      artifacts: { schema_version: 1, complete: true, entries: [], directory: facts.directory },
      run_result: runResultDocument(saved.run, facts.task),
      prepared_task: saved.prepared,
      network_policy: PUBLIC_NETWORK,
      driver_inputs: {},
    },
  };
}
