import { StageFailure } from "@agentcompass/core/plugin";
import type { Issue } from "@agentcompass/core/result";
import { describe, expect, it } from "vitest";
import { type Behaviour, createScenario, type Scenario } from "./scenario.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ task_id: `t${index}` }));

const said = (scenario: Scenario) => scenario.logs.filter(({ source }) => source === "issue");

const scored: Behaviour = {
  evaluate: async () => ({
    metrics: { correct: false },
    issues: [{ severity: "warning", phase: "evaluate", code: "no_reward", message: "no reward was written" }],
  }),
};

describe("an issue of a final attempt", () => {
  const failing = (severity: "fatal" | "error"): Behaviour => ({
    run: () => Promise.reject(new StageFailure(severity, "step_limit", "the steps ran out")),
  });
  it.each<[Issue["severity"], Behaviour, string]>([
    ["fatal", failing("fatal"), "step_limit"],
    ["error", failing("error"), "step_limit"],
    ["warning", scored, "no_reward"],
  ])("of severity %s stands in summary.md and once in the log", async (severity, behaviour, code) => {
    const scenario = createScenario({ tasks: many(2), behaviour: { t1: behaviour } });
    await scenario.finish();
    const kind = `${severity.toUpperCase()} ${code}`;
    expect(scenario.store.text("one/r/summary.md")).toContain(`- ${kind}: once, in task t1: `);
    const lines = said(scenario).filter(({ message }) => message.startsWith(`task=t1 attempt=1 ${kind}: `));
    expect(lines).toMatchObject([{ level: "WARNING" }]);
    expect(scenario.store.text("one/r/run.log")).toContain(`task=t1 attempt=1 ${kind}: `);
    const warnings = scenario.logs.filter(({ level, message }) => level === "WARNING" && message.includes(code));
    expect(warnings).toEqual(lines);
  });

  it("is said three times of one code and then counted", async () => {
    const behaviour = Object.fromEntries(many(9).map(({ task_id }) => [task_id, scored]));
    const scenario = createScenario({ tasks: many(9), behaviour, orchestration: { task_concurrency: 1 } });
    await scenario.finish();
    expect(said(scenario).map(({ message }) => message)).toEqual([
      "task=t0 attempt=1 WARNING no_reward: no reward was written",
      "task=t1 attempt=1 WARNING no_reward: no reward was written",
      "task=t2 attempt=1 WARNING no_reward: no reward was written",
      "WARNING no_reward: 9 issues in all, 6 of them not shown",
    ]);
    expect(scenario.store.text("one/r/summary.md")).toContain("- WARNING no_reward: 9 times, first in task t0: ");
  });

  it.each([
    [3, []],
    [4, ["- Fatal: 1 more task; see details/fatal."]],
    [5, ["- Fatal: 2 more tasks; see details/fatal."]],
  ])("of %i fatal tasks: three are noted and the rest counted", async (count, rest) => {
    const behaviour = Object.fromEntries(many(count).map(({ task_id }) => [task_id, failing("fatal")]));
    const scenario = createScenario({ tasks: many(count), behaviour });
    await scenario.finish();
    const lines = (scenario.store.text("one/r/summary.md") ?? "").split("\n");
    expect(lines.filter((line) => line.startsWith("- Fatal: task "))).toHaveLength(3);
    expect(lines.filter((line) => line.includes(" more task"))).toEqual(rest);
  });

  it.each([
    [1, 2, "the first task ended in step_limit (the steps ran out); 1 of 2 tasks was not run"],
    [2, 4, "the first 2 tasks all ended in step_limit (the steps ran out); 2 of 4 tasks were not run"],
  ])("that ends %i of %i tasks counts them", async (fatal_task_limit, count, text) => {
    const behaviour = Object.fromEntries(many(count).map(({ task_id }) => [task_id, failing("fatal")]));
    const requests = [{ name: "one", execution: { fatal_task_limit } }];
    const scenario = createScenario({
      tasks: many(count),
      behaviour,
      orchestration: { task_concurrency: 1, requests },
    });
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.error).toContain(text);
  });

  it("is no word about where there is none", async () => {
    const scenario = createScenario();
    await scenario.finish();
    expect(scenario.store.text("one/r/summary.md")).not.toContain("## Issues");
    expect(said(scenario)).toEqual([]);
  });
});
