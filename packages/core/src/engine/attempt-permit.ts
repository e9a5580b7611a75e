import type { Held } from "../attempt/index.ts";
import { holdPermit } from "../limit/index.ts";
import { executionId } from "../plan/index.ts";
import type { WaitReason } from "../port/index.ts";
import type { AttemptRunAsk } from "./attempt-ask.ts";

/** Waits for the right to run one execution: a place of the orchestration and one of its environment's provider, at its pace. */
export async function holdAttemptPermit(ask: AttemptRunAsk, generation: number, signal: AbortSignal): Promise<Held> {
  const { orchestration, deps, run, task, attempt } = ask;
  const { runtime } = orchestration;
  const provider = run.checked.environment.id;
  const perSecond = runtime.env_open_qps[provider] ?? 0;
  const ticket = executionId({
    orchestrationId: orchestration.orchestration_id,
    requestIndex: run.checked.request.index,
    taskId: task.task_id,
    attempt,
    generation,
  });
  return holdPermit(
    deps.permits,
    {
      ticket,
      holder: deps.holder,
      limits: [
        {
          name: `orchestration:${orchestration.orchestration_id}`,
          capacity: orchestration.task_concurrency,
          intervalMs: 0,
        },
        {
          name: `provider:${provider}`,
          capacity: runtime.provider_limits[provider] || null,
          intervalMs: perSecond > 0 ? 1000 / perSecond : 0,
        },
      ],
    },
    { clock: deps.clock, signal, onWait: (why) => waits(ask, why) },
  );
}

function waits(ask: AttemptRunAsk, why: WaitReason): void {
  const { task, attempt } = ask;
  const waiting = `${why.limit} is ${why.reason}`;
  ask.run.recorder.show({
    event: "phase_changed",
    task_id: task.task_id,
    category: task.category,
    attempt,
    phase: "plan",
    payload: { waiting },
  });
  const message = `task=${task.task_id} attempt=${attempt} waits: ${waiting}`;
  ask.run.recorder.log({ level: "DEBUG", source: "limit", message });
}
