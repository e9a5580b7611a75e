import { join, posix } from "node:path";
import { type EvaluateAsk, type Evaluation, type ExecResult, StageFailure } from "@agentcompass/core/plugin";
import { layoutOf } from "./layout.ts";
import { type Reward, readReward } from "./reward.ts";
import { outputTail, runScript } from "./run-script.ts";
import { HarborMetadata } from "./task-spec.ts";

/**
 * Runs a task's test.sh where the agent worked and reads the reward it leaves. The tests arrive only now, and rewards of
 * before are removed, so that an agent can neither read the ones nor plant the others. Correct is a reward of exactly 1.
 */
export async function evaluateHarborTask(ask: EvaluateAsk): Promise<Evaluation> {
  const { session, task } = ask;
  if (!session)
    throw new StageFailure("fatal", "verifier_setup_failed", "test.sh needs the environment the agent worked in");
  const metadata = HarborMetadata.parse(task.metadata);
  const layout = layoutOf(session, metadata.owns_filesystem);
  const rewards = posix.join(layout.logs, "verifier");
  await session.remove(rewards);
  await session.exec({ command: ["mkdir", "-p", rewards], signal: ask.signal });
  const result = await runScript({
    session,
    layout,
    local: join(metadata.sample_dir, "tests"),
    remote: layout.tests,
    script: "test.sh",
    env: metadata.verifier_env,
    signal: ask.signal,
  });
  ask.signal.throwIfAborted();
  return toEvaluation(await readReward(session, rewards), result);
}

function toEvaluation(reward: Reward, result: ExecResult): Evaluation {
  const meta = { verifier_returncode: result.returncode, verifier_output: outputTail(result) };
  if ("value" in reward) return { metrics: { correct: reward.value === 1 }, meta: { reward: reward.value, ...meta } };
  if (result.returncode === 126 || result.returncode === 127)
    throw new StageFailure(
      "fatal",
      "verifier_setup_failed",
      `test.sh could not run (exit status ${result.returncode}): ${lastLine(result)}`,
      { phase: "evaluate" },
    );
  const message = `test.sh ended with status ${result.returncode} and left no reward: ${reward.problem}`;
  return {
    metrics: { correct: false },
    issues: [{ severity: "warning", phase: "evaluate", code: "verifier_result_invalid", message }],
    meta: { reward: null, ...meta },
  };
}

function lastLine(result: ExecResult): string {
  return outputTail(result).split("\n").at(-1) || "it wrote nothing";
}
