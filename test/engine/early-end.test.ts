import { type Model, ModelFailure, StageFailure } from "@agentcompass/core/plugin";
import { FakeClock } from "@agentcompass/core/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Behaviour, createScenario } from "./scenario.ts";

type Kind = "good" | "broken" | "other" | "unreached" | "hangs";

const unreachable: Model = {
  complete: () => Promise.reject(new ModelFailure("connection", "connect ECONNREFUSED 127.0.0.1:9")),
};

/** A task that takes `ms` and then ends in its own way. */
function behaves(kind: Kind, ms: number, clock: FakeClock): Behaviour {
  return {
    run: async ({ model, signal }) => {
      await clock.sleep(kind === "hangs" ? 60_000 + ms : ms, signal);
      if (kind === "unreached") await model?.complete({ messages: [] });
      if (kind === "broken" || kind === "other") throw new StageFailure("fatal", kind, "boom");
    },
  };
}

const kinds: readonly Kind[] = ["good", "broken", "other", "unreached", "hangs"];
const task = fc.record({
  kind: fc.oneof({ weight: 3, arbitrary: fc.constant<Kind>("broken") }, fc.constantFrom(...kinds)),
  ms: fc.integer({ min: 1, max: 500 }),
});

it("every task is either finished or counted as not run, and nothing is left open, however a request ends", async () => {
  let early = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(task, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(4),
      async (tasks, concurrency, fatal_task_limit) => {
        const clock = new FakeClock();
        const scenario = createScenario({
          clock,
          model: unreachable,
          tasks: tasks.map((_, index) => ({ task_id: `t${index}` })),
          behaviour: Object.fromEntries(tasks.map(({ kind, ms }, index) => [`t${index}`, behaves(kind, ms, clock)])),
          orchestration: {
            task_concurrency: concurrency,
            requests: [{ name: "one", execution: { fatal_task_limit } }],
          },
        });
        const { result } = await scenario.finish();
        const finished = scenario.events.filter(({ event }) => event === "task_finished").length;
        const summary = scenario.store.text("one/r/summary.md") ?? "";
        const dropped = Number(/; (\d+) (?:was|were) not run\./.exec(summary)?.[1] ?? 0);
        expect(finished + dropped).toBe(tasks.length);
        if (dropped > 0) {
          early += 1;
          expect(result.requests["one"]?.status).toBe("failed");
          expect(summary).toContain("No official score");
        }
        expect(scenario.open.size).toBe(0);
        expect(await scenario.permits.counts()).toEqual({});
      },
    ),
    { numRuns: 100 },
  );
  expect(early).toBeGreaterThan(5);
});
