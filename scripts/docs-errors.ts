import { AgentCompassError, ERROR_CODES, type ErrorCode } from "../packages/core/src/index.ts";
import { code, page, table } from "./docs-markdown.ts";

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  "usage.invalid": "An option or argument of a command or a call is wrong.",
  "spec.invalid": "An orchestration cannot be read or says something that is not allowed.",
  "config.invalid": "A configuration file says something that is not allowed.",
  "file.unreadable": "A file that was named cannot be read.",
  "component.unknown": "There is no benchmark, harness, environment or protocol of that name.",
  "component.invalid": "A component's parameters are wrong, or components do not fit together.",
  "component.unavailable": "A component or option is known but comes with a later release.",
  "benchmark.data_missing": "The data of a benchmark is not there and could not be had.",
  "benchmark.data_invalid": "The data of a benchmark is broken; the message names file and line.",
  "benchmark.empty": "No task is left to run.",
  "report.refused": "A report cannot be computed from these results with this plan and aggregation.",
  "run.exists": "A run of that id exists already.",
  "run.unreadable": "A directory is no run, or its run_info.json is of another schema.",
  "store.unwritable": "A place cannot be written to.",
  "store.full": "The disk is full.",
  "run.failed": "A run that was started did not complete; the message names its results.",
  "run.timed_out": "The deadline came first.",
  "run.cancelled": "The run was cancelled.",
  "limit.exceeded": "A limit does not let it through.",
  "environment.failed": "An environment failed.",
  "model.failed": "A model's endpoint failed.",
  "internal.unexpected": "A mistake of AgentCompass itself; please report it.",
};

export function errorPage(): string {
  const rows = (Object.keys(ERROR_CODES) as ErrorCode[]).map((name) => {
    const error = new AgentCompassError(name, "");
    const meaning = MEANINGS[name];
    if (meaning === undefined) throw new Error(`scripts/docs-errors.ts says nothing about ${name}`);
    return [code(name), meaning, error.kind, String(error.exitCode), String(error.httpStatus), String(error.retry)];
  });
  return page(
    "Errors",
    "An expected failure is an `AgentCompassError`: a code, one line for people, facts for programs (`data`) and advice on trying again (`retry`). The command prints the line and ends with the exit code; a SIGTERM ends with 143. Inside a launch a request fails alone, and the launch ends with 1.",
    table(["Code", "Meaning", "Kind", "Exit code", "HTTP status", "Retry"], rows),
  );
}
