import { randomUUID } from "node:crypto";
import { type EvaluateAsk, type Evaluation, type ExecResult, StageFailure } from "@agentcompass/core/plugin";
import { parseParams } from "../params.ts";
import { answerText } from "../text-task.ts";
import { CHECKER } from "./checker.ts";
import { HumanEvalParams } from "./params.ts";
import { candidateProgram } from "./program.ts";
import type { HumanEvalRow } from "./row.ts";

/** Time on the clock for one second of processor time. */
const CLOCK_FACTOR = 3;
/** For starting Python and for the tests themselves. */
const START_SECONDS = 5;

/** Runs the answer against the task's tests. A candidate that fails them, in whatever way, is wrong; only a Python that cannot be started fails the evaluation. */
export async function evaluateHumanEval({ task, params, run, session, signal }: EvaluateAsk): Promise<Evaluation> {
  const answer = answerText(run);
  if (answer.trim() === "") return verdict(false, "the answer is empty");
  if (!session)
    throw new StageFailure("fatal", "evaluate_failed", "humaneval is evaluated in an environment; there is none");
  const { python, timeout_seconds, memory_mb } = parseParams(HumanEvalParams, params);
  const { prompt, entry_point, test } = task.metadata as HumanEvalRow;
  const clockSeconds = timeout_seconds * CLOCK_FACTOR + START_SECONDS;
  const token = randomUUID();
  const program = candidateProgram(answer, { prompt, entry_point });
  const result = await session.exec({
    command: [python, "-I", "-B", "-c", CHECKER],
    stdin: JSON.stringify({ token, ...program, test, entry_point, cpu_seconds: timeout_seconds, memory_mb }),
    env: ONE_THREAD,
    timeoutMs: clockSeconds * 1000,
    signal,
  });
  return readVerdict(result, token, clockSeconds);
}

/** Numeric libraries start a thread a core, which a candidate may not. */
const ONE_THREAD = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };

function readVerdict(result: ExecResult, token: string, seconds: number): Evaluation {
  const line = result.stdout.split("\n").findLast((text) => text.startsWith(`${token} `));
  if (line === `${token} passed`) return verdict(true);
  if (line) return verdict(false, failedReason(line.slice(`${token} failed `.length)));
  if (result.timed_out) return verdict(false, `not finished after ${seconds} s on the clock`);
  if (result.returncode === 126 || result.returncode === 127) {
    const said = result.stderr.trim().split("\n", 1)[0] ?? "";
    throw new StageFailure("fatal", "evaluate_failed", `humaneval: Python cannot be started: ${said}`);
  }
  return verdict(false, `the tests did not come to an end (exit status ${result.returncode})`);
}

function failedReason(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return "unknown";
  }
}

function verdict(correct: boolean, reason?: string): Evaluation {
  return { metrics: { correct }, meta: reason === undefined ? {} : { reason } };
}
