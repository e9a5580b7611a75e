import type { EnvironmentSession, Evaluation, TaskSpec } from "@agentcompass/core/plugin";
import { createHumanEvalBenchmark } from "../src/benchmark/humaneval/index.ts";
import { HumanEvalParams } from "../src/benchmark/humaneval/params.ts";
import { toTask } from "../src/benchmark/humaneval/row.ts";
import { answered, noModel } from "./asks.ts";
import { PROBLEMS } from "./humaneval-problems.ts";

/** The task of one of our own problems. */
export function taskOf(id: string): TaskSpec {
  const value = PROBLEMS.find((problem) => problem.task_id === id);
  return toTask({ line: 1, where: "problems:1", value }, new Map());
}

/** Scores an answer in a session, as an attempt would. */
export async function score(
  session: EnvironmentSession,
  task: TaskSpec,
  answer: unknown,
  params: Partial<HumanEvalParams> = {},
): Promise<Evaluation> {
  const benchmark = createHumanEvalBenchmark();
  const ask = {
    task,
    params: HumanEvalParams.parse(params),
    session,
    signal: new AbortController().signal,
    log: () => {},
  };
  const prepared = await benchmark.doPrepare(ask);
  return benchmark.doEvaluate({ ...ask, prepared, run: answered(answer), connectModel: noModel });
}
