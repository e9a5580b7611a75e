import { AgentCompassError } from "../error.ts";
import { type Aggregation, type AggregationInput, parseAggregation } from "./aggregation.ts";
import { RESULT_STATUSES } from "./issue.ts";
import type { AttemptPlan, MetricContract } from "./metric-contract.ts";
import { parseMetrics, shown } from "./metric-values.ts";
import { checkPlan } from "./series-plan.ts";
import type { ReportAttempt, ReportTask } from "./task-reduction.ts";

/** What a report is computed from. */
export type ReportInput = {
  readonly contract: MetricContract;
  readonly plan: AttemptPlan;
  readonly aggregation: AggregationInput;
  readonly tasks: readonly ReportTask[];
  /** False when no official score may be given, for instance as the model was never reached. Default true. */
  readonly officialScore?: boolean;
};

const STATUSES: readonly string[] = RESULT_STATUSES;

/**
 * Checks everything a report reads and returns how values combine. Throws `report.refused` for the whole report, naming
 * the task: undeclared or wrong metrics, an unknown status, an attempt number outside 1..k, a repeated task id.
 */
export function checkReportInput({ contract, plan, aggregation, tasks }: ReportInput): Aggregation {
  checkPlan(contract, plan);
  const parsed = parseAggregation(aggregation);
  const seen = new Set<string>();
  for (const task of tasks) {
    if (seen.has(task.task_id)) throw refused(task.task_id, "the task id occurs twice; ids must be unique");
    seen.add(task.task_id);
    checkAttempts(task, contract, plan.k);
  }
  return parsed;
}

function checkAttempts(task: ReportTask, contract: MetricContract, k: number): void {
  for (const [number, attempt] of Object.entries(task.attempts)) {
    if (!/^[1-9]\d*$/.test(number) || Number(number) > k) {
      throw refused(task.task_id, `attempt ${shown(number)} is outside 1 to ${k}; give the k that the run had`);
    }
    checkAttempt(`task ${task.task_id}, attempt ${number}`, attempt, contract);
  }
}

function checkAttempt(where: string, attempt: ReportAttempt, contract: MetricContract): void {
  if (!STATUSES.includes(attempt.status)) {
    throw new AgentCompassError(
      "report.refused",
      `${where}: unknown status ${shown(attempt.status)}; allowed are ${STATUSES.join(", ")}`,
    );
  }
  parseMetrics(contract, attempt.metrics, `${where}: metrics`);
}

function refused(taskId: string, text: string): AgentCompassError {
  return new AgentCompassError("report.refused", `task ${taskId}: ${text}`);
}
