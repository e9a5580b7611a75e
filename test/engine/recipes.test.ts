import type { OpenAsk, Recipe } from "@agentcompass/core/plugin";
import { taskKey } from "@agentcompass/core/record";
import { describe, expect, it } from "vitest";
import { createScenario, json as file, type ScenarioOptions } from "./scenario.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
const json = (...given: Parameters<typeof file>): any => file(...given);

function recipe(id: string, apply: Recipe["apply"], matches: Recipe["matches"] = () => true): Recipe {
  return { id, description: id, matches, apply };
}

const slow = recipe(
  "slow",
  (plan) => ({ ...plan, run_timeout_seconds: 500 }),
  (_request, task) => task.category === "long",
);
const doubled = recipe("doubled", (plan) => ({ ...plan, run_timeout_seconds: (plan.run_timeout_seconds ?? 0) * 2 }));
const TASKS = [
  { task_id: "t1", category: "long" },
  { task_id: "t2", category: "short" },
];

function withRecipes(recipes: readonly Recipe[], more: ScenarioOptions = {}, execution: object = {}) {
  const orchestration = { requests: [{ name: "one", execution: { run_timeout_seconds: 100, ...execution } }] };
  return createScenario({ tasks: TASKS, recipes, orchestration, ...more });
}

function planOf(scenario: ReturnType<typeof createScenario>, task: string) {
  return json(scenario, "run_info.json").resolved_execution_plans[task].attempts["1"];
}

describe("recipes of a request", () => {
  it("adapt the plan of each task that they match, one after the other, and are named in plan and result", async () => {
    const scenario = withRecipes([slow, doubled]);
    const { ends } = await scenario.finish();
    expect(planOf(scenario, "t1")).toMatchObject({ run_timeout_seconds: 1000, applied_recipes: ["slow", "doubled"] });
    expect(planOf(scenario, "t2")).toMatchObject({ run_timeout_seconds: 200, applied_recipes: ["doubled"] });
    expect(ends[0]?.outcome.result).toMatchObject({ applied_recipes: ["slow", "doubled"] });
  });

  it("are all tried when enabled_recipes is empty, else only those that it names", async () => {
    const scenario = withRecipes([slow, doubled], {}, { enabled_recipes: ["slow"] });
    const { ends } = await scenario.finish();
    expect(planOf(scenario, "t2")).toMatchObject({ run_timeout_seconds: 100, applied_recipes: [] });
    expect(ends[0]?.outcome.result).toMatchObject({ applied_recipes: ["slow"] });
  });

  it("refuse the request before anything is written when enabled_recipes names none of them", async () => {
    const scenario = withRecipes([slow], {}, { enabled_recipes: ["slows"] });
    const { result } = await scenario.finish();
    expect(result.requests["one"]).toMatchObject({
      status: "failed",
      error: expect.stringContaining("did you mean 'slow'?"),
    });
    expect(await scenario.store.list("")).toEqual([]);
  });

  it("decide how long the agent may work", async () => {
    const deadlines: number[] = [];
    const run = async ({ deadlineAt, clock }: { deadlineAt?: number | undefined; clock: { now(): number } }) => {
      deadlines.push((deadlineAt ?? 0) - clock.now());
      return "42";
    };
    await withRecipes([slow], { behaviour: { t1: { run }, t2: { run } } }).finish();
    expect(deadlines.sort((left, right) => left - right)).toEqual([100_000, 500_000]);
  });

  it("give every command variables, below those of the task and the spec", async () => {
    const opened: OpenAsk["env"][] = [];
    const variables = recipe("variables", (plan) => ({
      ...plan,
      env_variables: { A: "recipe", B: "recipe", C: "recipe" },
    }));
    const scenario = createScenario({
      tasks: [{ task_id: "t1", env_variables: { B: "task", C: "task" } }],
      recipes: [variables],
      open: async (_task, ask) => void opened.push(ask.env),
      orchestration: { requests: [{ name: "one", environment: { id: "place", env_variables: { C: "spec" } } }] },
    });
    await scenario.finish();
    expect(opened).toEqual([{ A: "recipe", B: "task", C: "spec" }]);
  });
});

describe("a recipe that fails", () => {
  const broken = recipe("broken", (plan, _request, task) => {
    if (task.task_id === "t1") throw new Error("no image for t1");
    return plan;
  });

  it("ends its task with a FATAL setup_failed, at once and without an execution; the others go on", async () => {
    const scenario = withRecipes([broken], {}, { max_retries: 3 });
    const { result } = await scenario.finish();
    expect(result.requests["one"]).toMatchObject({
      status: "failed",
      error: expect.stringContaining("no image for t1"),
    });
    expect(scenario.executions).toEqual(["t2"]);
    const attempt = json(scenario, `${taskKey("fatal", "t1")}/attempt-1/result.json`);
    expect(attempt).toMatchObject({ status: "run_error", metrics: {}, retry_count: 0 });
    expect(attempt.issues).toEqual([
      {
        severity: "fatal",
        phase: "setup",
        code: "setup_failed",
        message: "recipe 'broken': apply threw: no image for t1",
      },
    ]);
    expect(planOf(scenario, "t1").applied_recipes).toEqual([]);
    expect(json(scenario, `${taskKey("normal", "t2")}/attempt-1/result.json`).metrics).toEqual({ correct: true });
  });

  it("is graded the same when its plan may not be", async () => {
    const wrong = recipe("wrong", (plan) => ({ ...plan, run_timeout_seconds: -1 }));
    const scenario = withRecipes([wrong], { tasks: [{ task_id: "t1" }] });
    await scenario.finish();
    const { issues } = json(scenario, `${taskKey("fatal", "t1")}/attempt-1/result.json`);
    expect(issues[0]).toMatchObject({
      code: "setup_failed",
      message: expect.stringContaining("recipe 'wrong': plan.run_timeout_seconds: "),
    });
  });
});
