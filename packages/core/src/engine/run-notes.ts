import { firstLine } from "../error.ts";
import type { AttemptResult } from "../result/index.ts";
import type { EarlyEnd } from "./breaker.ts";
import type { RequestRun } from "./request-run.ts";

/** True when calls were made and no endpoint of a model answered any of them. */
export function isUnreached({ contact, earlyEnd }: RequestRun): boolean {
  return earlyEnd?.kind === "never_reached" || (contact.calls > 0 && contact.reached === 0);
}

/** What the reader of the score has to know of the run as a whole, one line each. */
export function generalNotes(run: RequestRun, unreached: boolean): readonly string[] {
  const notes: string[] = [];
  if (unreached) notes.push(`No official score: the model ${unreachedWords(run)} (${lastFailure(run)}).`);
  if (!unreached && run.contact.calls > 0 && run.contact.answered === 0)
    notes.push(`No model call gave an answer; the score says nothing of the model. Last: ${lastFailure(run)}`);
  if (run.earlyEnd?.kind === "same_fatal") notes.push(`No official score: ${sameFatal(run, run.earlyEnd)}.`);
  if (run.dropped > 0)
    notes.push(
      `Partial: ${run.results.length} of ${countOfTasks(run.loaded.tasks.length)}; ${run.dropped} ${wereNotRun(run)}.`,
    );
  return notes;
}

type SameFatal = Extract<EarlyEnd, { readonly kind: "same_fatal" }>;

function countOfTasks(count: number): string {
  return count === 1 ? "1 task" : `${count} tasks`;
}

function wereNotRun({ dropped }: RequestRun): string {
  return dropped === 1 ? "was not run" : "were not run";
}

/** Why a request whose tasks all ended alike was ended. */
export function sameFatal(run: RequestRun, { tasks, code, message }: SameFatal): string {
  const { fatal_task_limit } = run.checked.request.execution;
  const rest = `${run.dropped} of ${countOfTasks(run.loaded.tasks.length)} ${wereNotRun(run)}`;
  return `the first ${tasks === 1 ? "task" : `${tasks} tasks all`} ended in ${code} (${run.redact(firstLine(message))}); ${rest} (execution.fatal_task_limit ${fatal_task_limit}; 0 runs them all)`;
}

/** A time that ran out says nothing of whether the endpoint was there. */
export function unreachedWords({ contact }: RequestRun): string {
  return contact.lastFailure === null || contact.lastTimedOut ? "never gave an answer" : "was never reached";
}

/** Why no call was answered: the last failure of a call, else what ended the attempts, such as the time of the run. */
export function lastFailure(run: RequestRun): string {
  const attempts = run.results.flatMap((task) => Object.values(task.attempts));
  const issue = attempts.flatMap(({ issues }) => issues).find(({ severity }) => severity !== "warning");
  return run.redact(firstLine(run.contact.lastFailure ?? issue?.message ?? "no call was answered"));
}

const SHOWN_TASKS = 3;

/** The first tasks that have no score, each with its reason. */
export function fatalNotes(run: RequestRun): string[] {
  const notes = run.results.flatMap((task) => {
    const issue = firstIssue(Object.values(task.attempts), "fatal");
    return issue ? [`Fatal: task ${task.task_id}: ${issue}`] : [];
  });
  return firstOf(notes, (more) => `Fatal: ${more} more ${more === 1 ? "task" : "tasks"}; see details/fatal.`);
}

/** The first tasks without a FATAL issue whose error left an attempt without any metric, each with its reason. */
export function unavailableNotes(run: RequestRun): string[] {
  const notes = run.results.flatMap((task) => {
    const attempts = Object.values(task.attempts);
    if (firstIssue(attempts, "fatal") !== undefined) return [];
    const issue = firstIssue(
      attempts.filter(({ metrics }) => Object.keys(metrics).length === 0),
      "error",
    );
    return issue ? [`No value: task ${task.task_id}: ${issue}`] : [];
  });
  return firstOf(notes, (more) => `No value: ${more} more ${more === 1 ? "task" : "tasks"}; see details/error.`);
}

function firstIssue(attempts: readonly AttemptResult[], severity: "fatal" | "error"): string | undefined {
  const issue = attempts.flatMap(({ issues }) => issues).find((one) => one.severity === severity);
  return issue && `${issue.code}: ${issue.message}`;
}

function firstOf(notes: readonly string[], rest: (more: number) => string): string[] {
  const more = notes.length - SHOWN_TASKS;
  return [...notes.slice(0, SHOWN_TASKS), ...(more > 0 ? [rest(more)] : [])];
}
