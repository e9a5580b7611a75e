import { allIssues, type Discarded } from "../attempt/index.ts";
import type { ExecutionPlan } from "../plan/index.ts";
import { attemptDirectory, prettyJson, retryDocument, taskDirectory, taskKey } from "../record/index.ts";
import { statusFromIssues } from "../result/issue.ts";
import type { AttemptRunAsk } from "./attempt-ask.ts";
import { runResultDocument } from "./checkpoint.ts";

/** Writes the file of an execution that a retry throws away; returns its address. */
export async function keepDiscarded(ask: AttemptRunAsk, plan: ExecutionPlan, item: Discarded): Promise<string> {
  const { run, task, attempt } = ask;
  const directory = taskDirectory(task.task_id);
  const name = `${directory}.attempt${attempt}.retry${item.retry}.${item.stage}.json`;
  const key = `${taskKey("running", task.task_id)}/${attemptDirectory(attempt)}/retries/${name}`;
  const issues = item.scope === "evaluate" ? item.outcome.evaluationIssues : allIssues(item.outcome);
  const document = retryDocument({
    taskId: task.task_id,
    category: task.category,
    attempt,
    retry: item.retry,
    maxRetries: run.checked.request.execution.max_retries,
    delaySeconds: item.delaySeconds,
    stage: item.stage,
    scope: item.scope,
    matchedPattern: item.matchedPattern,
    issues,
    discarded: {
      ...runResultDocument(item.outcome.run, task),
      status: statusFromIssues(allIssues(item.outcome)),
      issues: allIssues(item.outcome),
      metrics: item.outcome.metrics,
      category: task.category,
      meta: { resolved_execution_plan: plan },
    },
  });
  await run.store.put(key, prettyJson(document));
  return run.store.locate(key);
}
