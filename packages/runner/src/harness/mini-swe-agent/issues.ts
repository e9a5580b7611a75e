import { gradeFailure } from "@agentcompass/core/attempt";
import { ModelFailure } from "@agentcompass/core/plugin";
import type { Issue } from "@agentcompass/core/result";
import type { MiniSweAgentParams } from "../mini-swe-agent-params.ts";
import type { AgentRun } from "./agent.ts";

/** What the end of a run means for its attempt; a run that submitted has no issue. */
export function exitIssues({ exit, spent }: AgentRun, params: MiniSweAgentParams): readonly Issue[] {
  switch (exit.status) {
    case "Submitted":
      return exit.droppedBytes ? [warning("submission_truncated", truncated(exit.droppedBytes))] : [];
    case "LimitsExceeded":
      return [
        exit.limit === "step_limit" ? outOfSteps(params.step_limit) : outOfMoney(params.cost_limit, spent.costUsd),
      ];
    case "TimeExceeded":
      return [error("harness_failed", `the time of the run was over after ${spent.calls} model calls`)];
    case "RepeatedFormatError":
      return [
        warning("harness_format_error", "the model sent three replies in a row that called no tool as it should"),
      ];
    case "Failed":
      return [failed(exit.failure)];
  }
}

export function missingFilesIssue(missing: readonly string[]): readonly Issue[] {
  if (missing.length === 0) return [];
  return [warning("harness_failed", `output files that the task asks for are missing: ${missing.join(", ")}`)];
}

/** Without its model the agent could not go on, which says nothing about the model: fatal, so that it is tried again. */
function failed(failure: unknown): Issue {
  const issue = gradeFailure(failure, "run");
  const isInterrupted =
    failure instanceof ModelFailure && (issue.code === "model_failed" || issue.code === "model_timeout");
  return isInterrupted ? { ...issue, severity: "fatal" } : issue;
}

function outOfSteps(limit: number): Issue {
  return error("harness_max_iterations", `the agent used all ${limit} model calls of harness.step_limit`);
}

function outOfMoney(limit: number, spent: number): Issue {
  return error("harness_limit_reached", `the agent spent $${spent.toFixed(4)} of the $${limit} of harness.cost_limit`);
}

function truncated(bytes: number): string {
  return `the submission was longer than what is kept of an output: ${bytes} bytes of it are missing`;
}

function error(code: string, message: string): Issue {
  return { severity: "error", phase: "run", code, message };
}

function warning(code: string, message: string): Issue {
  return { severity: "warning", phase: "run", code, message };
}
