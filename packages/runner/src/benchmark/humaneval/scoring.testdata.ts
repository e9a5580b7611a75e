import type { EnvironmentSession, Evaluation, TaskSpec } from "@agentcompass/core/plugin";
import { answered, noModel } from "../../../testing/asks.ts";
import { createHumanEvalBenchmark } from "./index.ts";
import { HumanEvalParams } from "./params.ts";
import { PROBLEMS } from "./problems.testdata.ts";
import { toTask } from "./row.ts";

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
