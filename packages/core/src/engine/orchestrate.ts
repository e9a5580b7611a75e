import { AgentCompassError } from "../error.ts";
import { isoSeconds } from "../record/index.ts";
import { outputNamespace, runDirectoryName } from "../spec/index.ts";
import type { ResolvedOrchestration, ResolvedRequest } from "../spec/resolved.ts";
import { decideEarlyEnd, type EarlyEnd, NOTHING_OBSERVED, type Observed, observe } from "./breaker.ts";
import type { EngineDeps } from "./deps.ts";
import { endRequest, finalizeRequest, stopRequest } from "./finalize.ts";
import { refuseUnsetAddress } from "./model-address.ts";
import { type OrchestrationResult, orchestrationStatus, type RequestEnd } from "./outcome.ts";
import { sumOfUsage } from "./outcome-usage.ts";
import { type Checked, preflight } from "./preflight.ts";
import { prepareRequest } from "./prepare.ts";
import { withPrices } from "./priced-models.ts";
import type { RequestRun } from "./request-run.ts";
import { type Action, isFinished, nextAction, type RequestProgress } from "./schedule.ts";
import { aborted, cancelledBy, GivenUp, Stopped } from "./stopped.ts";
import { runTask } from "./task-run.ts";

type Slot = {
  readonly request: ResolvedRequest;
  state: RequestProgress["state"];
  active: number;
  writing: number;
  /** Of its tasks that are under way. */
  readonly controllers: Set<AbortController>;
  observed: Observed;
  checked?: Checked;
  run?: RequestRun;
  end?: RequestEnd;
};

export type Orchestrated = { readonly result: OrchestrationResult; readonly ends: readonly RequestEnd[] };

/**
 * Carries an orchestration to its end. Requests fail alone; what is thrown is what refuses the whole: a run id that exists,
 * or results that cannot be reached. Aborting `signal` cancels: active tasks end within `cleanup_grace_seconds`; aborting
 * `endNow` as well gives that up: terminal states are written and what is still active is left behind.
 */
export async function orchestrate(
  orchestration: ResolvedOrchestration,
  given: EngineDeps,
  signal: AbortSignal,
  endNow: AbortSignal = new AbortController().signal,
): Promise<Orchestrated> {
  const deps = withPrices(given, orchestration.prices);
  const startedAt = isoSeconds(deps.clock, deps.clock.now());
  await refuseExistingRuns(orchestration, deps);
  const conductor = new Conductor(orchestration, deps);
  await conductor.check();
  conductor.sayAnalysisOnce();
  const ends = await conductor.conduct(signal, endNow);
  const result: OrchestrationResult = {
    orchestration_id: orchestration.orchestration_id,
    name: orchestration.name,
    status: orchestrationStatus(conductor.stopped?.kind, ends),
    requests: Object.fromEntries(ends.map((end) => [end.outcome.name, end.outcome])),
    usage: sumOfUsage(ends.flatMap(({ outcome }) => outcome.usage ?? [])),
    started_at: startedAt,
    finished_at: isoSeconds(deps.clock, deps.clock.now()),
  };
  return { result, ends };
}

async function refuseExistingRuns(orchestration: ResolvedOrchestration, deps: EngineDeps): Promise<void> {
  const results = deps.results(orchestration.runtime.results_dir);
  for (const request of orchestration.requests) {
    if (request.output.run_id === "") continue;
    const runId = runDirectoryName(request.output.run_id);
    const namespace = outputNamespace(request);
    if ((await results.children(namespace)).includes(runId))
      throw new AgentCompassError(
        "run.exists",
        `output.run_id: run '${runId}' exists already at ${results.locate(`${namespace}/${runId}`)}; choose another id`,
      );
  }
}

/** Holds what is under way; every decision comes from schedule.ts. */
class Conductor {
  stopped: Stopped | undefined;
  readonly #orchestration: ResolvedOrchestration;
  readonly #deps: EngineDeps;
  readonly #slots: Slot[];
  readonly #underWay = new Set<Promise<void>>();
  readonly #controllers = new Set<AbortController>();
  #wake: () => void = () => {};

  constructor(orchestration: ResolvedOrchestration, deps: EngineDeps) {
    this.#orchestration = orchestration;
    this.#deps = deps;
    this.#slots = orchestration.requests.map((request) => ({
      request,
      state: "waiting",
      active: 0,
      writing: 0,
      controllers: new Set(),
      observed: NOTHING_OBSERVED,
    }));
  }

  /** Checks every request before anything is written; what is wrong with one fails it alone. */
  async check(): Promise<void> {
    for (const slot of this.#slots)
      try {
        const checked = await preflight(slot.request, this.#deps);
        if (checked.harness.needsModel) refuseUnsetAddress(this.#orchestration, slot.request.model);
        slot.checked = checked;
      } catch (error) {
        this.#close(slot, endRequest(slot.request, "failed", error));
      }
  }

  /** Said for what will run; a refusal stands alone. An analysis that nobody asked for is missed by few. */
  sayAnalysisOnce(): void {
    if (!this.#slots.some((slot) => slot.checked?.request.execution.enable_analysis)) return;
    const message = "no analyzer is installed yet: analysis_result stays empty";
    const level = this.#orchestration.asks_analysis ? "INFO" : "DEBUG";
    this.#deps.onLog({ level, source: "analysis", message });
  }

  async conduct(signal: AbortSignal, endNow: AbortSignal): Promise<readonly RequestEnd[]> {
    const over = new AbortController();
    const cancel = (): void => this.#stop(cancelledBy(signal));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    this.#watchDeadline(over.signal);
    try {
      while (!this.stopped && !isFinished(this.#progress())) await this.#step();
      await this.#drain(endNow);
    } finally {
      signal.removeEventListener("abort", cancel);
      over.abort();
    }
    return this.#slots.map((slot) => slot.end ?? endRequest(slot.request, "cancelled", this.stopped));
  }

  async #step(): Promise<void> {
    const action = nextAction(this.#progress(), this.#orchestration.task_concurrency);
    if (action) return this.#start(action);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.stopped) resolve();
    });
  }

  #progress(): RequestProgress[] {
    return this.#slots.map((slot) => ({
      state: slot.state,
      pending: slot.run?.pending.length ?? 0,
      active: slot.active,
      writing: slot.writing,
    }));
  }

  #start(action: Action): void {
    const slot = this.#slots[action.index];
    if (!slot) return;
    const controller = new AbortController();
    this.#controllers.add(controller);
    if (action.kind === "start") slot.controllers.add(controller);
    const work = this.#work(action, slot, controller.signal).finally(() => {
      this.#controllers.delete(controller);
      slot.controllers.delete(controller);
      this.#underWay.delete(work);
      this.#wake();
    });
    this.#underWay.add(work);
  }

  #work(action: Action, slot: Slot, signal: AbortSignal): Promise<void> {
    switch (action.kind) {
      case "prepare":
        return this.#prepare(slot, signal);
      case "start":
        return this.#runTask(slot, signal);
      case "finalize":
        return this.#finalize(slot);
    }
  }

  async #prepare(slot: Slot, signal: AbortSignal): Promise<void> {
    slot.state = "preparing";
    const { checked } = slot;
    if (!checked) return;
    try {
      slot.run = await prepareRequest({ orchestration: this.#orchestration, checked, deps: this.#deps, signal });
      slot.state = "prepared";
    } catch (error) {
      if (!this.stopped) this.#close(slot, endRequest(slot.request, "failed", error));
    }
  }

  async #runTask(slot: Slot, signal: AbortSignal): Promise<void> {
    const { run } = slot;
    const pending = run?.pending.shift();
    if (!run || !pending) return;
    const occupied = this.#occupy(slot);
    try {
      const end = await runTask({
        orchestration: this.#orchestration,
        deps: this.#deps,
        run,
        pending,
        signal,
        onExecuted: () => occupied("written"),
      });
      slot.observed = observe(slot.observed, end);
      const early = decideEarlyEnd(slot.observed, slot.request.execution.fatal_task_limit);
      if (early) this.#endEarly(slot, run, early);
    } catch (error) {
      if (this.stopped) return;
      if (error instanceof GivenUp) {
        run.dropped += 1;
        return;
      }
      run.failure ??= error;
      this.#giveUp(slot, run, "results cannot be written");
    } finally {
      occupied("over");
    }
  }

  /** Counts a task in; what is returned says, once each, that its results are being written, and that it is over. */
  #occupy(slot: Slot): (now: "written" | "over") => void {
    let counted: "active" | "writing" | undefined = "active";
    slot.active += 1;
    return (now) => {
      if (counted === undefined || (counted === "writing" && now === "written")) return;
      slot[counted] -= 1;
      counted = now === "written" ? "writing" : undefined;
      if (counted) slot.writing += 1;
      this.#wake();
    };
  }

  /** The tasks that are under way would end as the others did, after many more calls. */
  #endEarly(slot: Slot, run: RequestRun, early: EarlyEnd): void {
    if (run.earlyEnd) return;
    run.earlyEnd = early;
    this.#giveUp(slot, run, early.kind);
  }

  /** The tasks that wait are dropped, those under way are stopped. */
  #giveUp(slot: Slot, run: RequestRun, reason: string): void {
    run.dropped += run.pending.length;
    run.pending.length = 0;
    for (const controller of slot.controllers) controller.abort(new GivenUp(reason));
  }

  async #finalize(slot: Slot): Promise<void> {
    slot.state = "finalizing";
    if (slot.run) this.#close(slot, await finalizeRequest(slot.run, this.#deps));
  }

  #close(slot: Slot, end: RequestEnd): void {
    if (slot.end) return;
    slot.state = "terminal";
    slot.end = end;
    this.#deps.onRequestFinished(end.outcome);
  }

  #stop(reason: Stopped): void {
    if (this.stopped) return;
    this.stopped = reason;
    for (const controller of this.#controllers) controller.abort(reason);
    this.#wake();
  }

  #watchDeadline(over: AbortSignal): void {
    const seconds = this.#orchestration.runtime.timeout_seconds;
    if (seconds === 0) return;
    this.#deps.clock.sleep(seconds * 1000, over).then(
      () =>
        this.#stop(
          new Stopped("timed_out", `the orchestration did not finish within ${seconds} s (runtime.timeout_seconds)`),
        ),
      () => {},
    );
  }

  #sayLeftBehind(endNow: AbortSignal): void {
    const count = this.#underWay.size;
    if (count === 0) return;
    const seconds = this.#orchestration.runtime.cleanup_grace_seconds;
    const why = endNow.aborted ? "the grace was given up" : `${seconds} s were over (runtime.cleanup_grace_seconds)`;
    const message = `left behind: ${count} ${count === 1 ? "task" : "tasks"} that did not end before ${why}`;
    this.#deps.onLog({ level: "WARNING", source: "run", message });
  }

  /** After a stop: waits for what is under way within the grace, then gives every open request its terminal state. */
  async #drain(endNow: AbortSignal): Promise<void> {
    const stopped = this.stopped;
    if (!stopped) return;
    const done = new AbortController();
    const grace = this.#deps.clock.sleep(this.#orchestration.runtime.cleanup_grace_seconds * 1000, done.signal);
    await Promise.race([Promise.allSettled([...this.#underWay]), grace.catch(() => {}), aborted(endNow)]);
    done.abort();
    this.#sayLeftBehind(endNow);
    for (const slot of this.#slots) {
      if (slot.end) continue;
      const end = slot.run
        ? await stopRequest(slot.run, this.#deps, stopped)
        : endRequest(slot.request, stopped.kind, stopped);
      this.#close(slot, end);
    }
  }
}
