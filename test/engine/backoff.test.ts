import { StageFailure } from "@agentcompass/core/plugin";
import { FakeClock, MemoryPermitStore } from "@agentcompass/core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Behaviour, createScenario } from "./scenario.ts";

const RETRY_SECONDS = 4000;

/** Notes what is held while somebody sleeps as long as a retry waits; no other sleep of these scenarios is as long. */
class WatchedClock extends FakeClock {
  permits: MemoryPermitStore | undefined;
  readonly heldWhileWaiting: number[] = [];

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const isRetry = ms >= (RETRY_SECONDS / 2) * 1000 && ms <= RETRY_SECONDS * 1000;
    if (isRetry) this.#note();
    await super.sleep(ms, signal);
    if (isRetry) this.#note();
  }

  #note(): void {
    const state = this.permits?.state;
    this.heldWhileWaiting.push((state?.leases.length ?? 0) + (state?.waiters.length ?? 0));
  }
}

type Step = "good" | "run" | "evaluate" | "prepare" | "slow";

/** A task that goes wrong in the given places, one a time, and then succeeds. */
function scripted(script: readonly Step[], clock: FakeClock): Behaviour {
  let place = 0;
  const failsAt = (stage: Step): boolean => {
    if (script[place] !== stage) return false;
    place += 1;
    return true;
  };
  const boom = () => new StageFailure("fatal", "boom", "boom");
  return {
    prepare: () => {
      if (failsAt("prepare")) throw boom();
    },
    run: async () => {
      if (failsAt("slow")) {
        await clock.sleep(1000);
        throw boom();
      }
      if (failsAt("run")) throw boom();
    },
    evaluate: async () => {
      if (failsAt("evaluate")) throw boom();
      return { metrics: { correct: true } };
    },
  };
}

const steps = fc.array(fc.constantFrom<Step>("run", "evaluate", "prepare", "slow"), { maxLength: 4 });

describe("the wait for a retry", () => {
  it("holds no permit and stands in no line, whatever failed and in whichever mode", async () => {
    const script = fc.array(steps, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(script, fc.constantFrom("none" as const, "reuse" as const), async (scripts, mode) => {
        const clock = new WatchedClock();
        const permits = new MemoryPermitStore({ clock });
        clock.permits = permits;
        const scenario = createScenario({
          mode,
          clock,
          permits,
          tasks: scripts.map((_, index) => ({ task_id: `t${index}` })),
          behaviour: Object.fromEntries(scripts.map((one, index) => [`t${index}`, scripted(one, clock)])),
          orchestration: {
            task_concurrency: 1,
            requests: [
              {
                name: "one",
                execution: {
                  max_retries: 4,
                  retry_min_delay_seconds: RETRY_SECONDS,
                  retry_max_delay_seconds: RETRY_SECONDS,
                },
              },
            ],
          },
        });
        const { result } = await scenario.finish();
        expect(result.status).toBe("completed");
        const retries = scenario.events.filter(({ event }) => event === "attempt_retry").length;
        if (scripts.some((one) => one.length > 0)) expect(retries).toBeGreaterThan(0);
        expect(clock.heldWhileWaiting).toEqual(Array.from({ length: 2 * retries }, () => 0));
        expect(await permits.counts()).toEqual({});
      }),
      { numRuns: 60 },
    );
  });

  it("lets another request's task take the place meanwhile", async () => {
    const clock = new FakeClock();
    const startedAt: number[] = [];
    const first: Behaviour = scripted(["evaluate"], clock);
    const second: Behaviour = { run: async () => void startedAt.push(clock.monotonic()) };
    const scenario = createScenario({
      clock,
      tasks: [{ task_id: "t0" }, { task_id: "t1" }],
      behaviour: { t0: first, t1: second },
      orchestration: {
        task_concurrency: 2,
        runtime: { provider_limits: { place: 1 } },
        requests: [
          {
            name: "one",
            execution: {
              max_retries: 1,
              retry_min_delay_seconds: RETRY_SECONDS,
              retry_max_delay_seconds: RETRY_SECONDS,
            },
          },
        ],
      },
    });
    await scenario.finish();
    expect(startedAt).toHaveLength(1);
    expect(startedAt[0]).toBeLessThan(1000);
  });
});
