import { describe, expect, it } from "vitest";
import type { Recipe, TaskSpec } from "../plugin/index.ts";
import type { ResolvedRequest } from "../spec/resolved.ts";
import { applyRecipes, type ExecutionPlan, PUBLIC_NETWORK, selectRecipes } from "./index.ts";

const PLAN: ExecutionPlan = {
  environment: { id: "host_process", baseline_network_policy: PUBLIC_NETWORK, resources: {}, setup: { image: "a:1" } },
  evaluation_environment: null,
  evaluation_environment_mode: "none",
  run_network_policy: PUBLIC_NETWORK,
  evaluation_network_policy: PUBLIC_NETWORK,
  applied_recipes: [],
  run_timeout_seconds: 60,
  evaluation_timeout_seconds: null,
  artifact_limits: { max_mb: 1, max_files: 1, timeout_seconds: 1 },
  artifact_collection_supported: true,
  collect_artifacts: true,
  save_artifacts: false,
  runresult_collect_timeout_seconds: 60,
  run_timer_compensation_seconds: 120,
  artifact_collect_timeout_seconds: null,
};

const TASK: TaskSpec = { task_id: "t", category: "long", ground_truth: null, metadata: { words: ["a"] } };
const REQUEST = { name: "r", benchmark: { id: "b", params: { limit: 1 } } } as unknown as ResolvedRequest;

function recipe(id: string, apply: Recipe["apply"], matches: Recipe["matches"] = () => true): Recipe {
  return { id, description: id, matches, apply };
}

/** What `apply` returns is whatever a JavaScript file may return. */
function returning(id: string, change: (plan: ExecutionPlan) => unknown): Recipe {
  return recipe(id, change as unknown as Recipe["apply"]);
}

function apply(...recipes: readonly Recipe[]): ExecutionPlan {
  return applyRecipes(PLAN, { request: REQUEST, task: TASK, recipes });
}

describe("applyRecipes", () => {
  it("gives each recipe the plan that the one before left, and keeps the ids of those that matched", () => {
    const plan = apply(
      recipe("first", (before) => ({ ...before, run_timeout_seconds: 100 })),
      recipe(
        "never",
        () => PLAN,
        () => false,
      ),
      recipe("second", (before) => ({ ...before, run_timeout_seconds: (before.run_timeout_seconds ?? 0) + 1 })),
    );
    expect(plan.run_timeout_seconds).toBe(101);
    expect(plan.applied_recipes).toEqual(["first", "second"]);
    expect(PLAN.applied_recipes).toEqual([]);
  });

  it("hands request, task and plan to matches, and plan, request and task to apply", () => {
    const seen: unknown[] = [];
    apply({
      id: "watch",
      description: "",
      matches: (...given) => seen.push(given) > 0,
      apply: (plan, ...given) => {
        seen.push([plan, ...given]);
        return plan;
      },
    });
    expect(seen).toEqual([
      [REQUEST, TASK, PLAN],
      [PLAN, REQUEST, TASK],
    ]);
  });

  it("takes setup, resources, policies, timeouts and variables of a recipe", () => {
    const changed = {
      run_timeout_seconds: null,
      evaluation_timeout_seconds: 7.5,
      run_timer_compensation_seconds: 0,
      run_network_policy: { network_mode: "allowlist", allowed_hosts: ["example.org"], denied_hosts: [] },
      env_variables: { WHERE: "${HOME}" },
    } as const;
    const environment = { setup: { image: "b:2", workdir: "/testbed" }, resources: { cpu: 2, memory_mb: 512 } };
    const plan = apply(
      recipe("all", (before) => ({ ...before, ...changed, environment: { ...before.environment, ...environment } })),
    );
    expect(plan).toEqual({
      ...PLAN,
      ...changed,
      environment: { ...PLAN.environment, ...environment },
      applied_recipes: ["all"],
    });
  });

  it("keeps nothing of an object that a recipe holds on to and changes later", () => {
    const held = { ...PUBLIC_NETWORK, allowed_hosts: [] as string[] };
    const plan = apply(recipe("holds", (before) => ({ ...before, run_network_policy: held })));
    held.allowed_hosts.push("example.org");
    expect(plan).toEqual({ ...PLAN, applied_recipes: ["holds"] });
  });

  it("lists only what it applied itself", () => {
    const plan = apply(recipe("honest", (before) => ({ ...before, applied_recipes: ["another"] })));
    expect(plan.applied_recipes).toEqual(["honest"]);
  });

  it.each<[string, (plan: ExecutionPlan) => unknown, string]>([
    ["nothing", () => undefined, "apply: must return a plan, found nothing"],
    ["a promise", async (plan) => plan, "apply: must return a plan, found a promise; a recipe is synchronous"],
    ["a plan with less", ({ run_timeout_seconds: _gone, ...rest }) => rest, "plan.run_timeout_seconds: is missing"],
    ["no environment", (plan) => ({ ...plan, environment: null }), "plan.environment: must be a mapping, found null"],
    [
      "a field of the harness",
      (plan) => ({ ...plan, harness: { timeout: 5 } }),
      "plan.harness: a plan has no such field; a recipe never sets a harness's own fields; the time of a run is plan.run_timeout_seconds",
    ],
    ["an unknown field", (plan) => ({ ...plan, image: "c:3" }), "plan.image: a plan has no such field"],
    ["a timeout of 0", (plan) => ({ ...plan, run_timeout_seconds: 0 }), "plan.run_timeout_seconds: "],
    ["a timeout without end", (plan) => ({ ...plan, run_timeout_seconds: Infinity }), "plan.run_timeout_seconds: "],
    ...[Number.NaN, Infinity, -Infinity].map((odd): [string, (plan: ExecutionPlan) => unknown, string] => [
      `${odd} where there was no timeout`,
      (plan) => ({ ...plan, evaluation_timeout_seconds: odd }),
      `plan.evaluation_timeout_seconds: must be seconds above 0, or null for none; found ${odd}`,
    ]),
    [
      "a plan in a circle",
      (plan) => {
        const circle: Record<string, unknown> = {};
        circle["again"] = circle;
        return { ...plan, env_variables: circle };
      },
      "the plan cannot be read: ",
    ],
    ["a whole number without end", (plan) => ({ ...plan, run_timeout_seconds: 5n }), "the plan cannot be read: "],
    [
      "a plan that throws",
      (plan) => ({
        ...plan,
        env_variables: {
          toJSON: () => {
            throw new Error("not\nnow");
          },
        },
      }),
      "the plan cannot be read: not",
    ],
    [
      "a timeout as text",
      (plan) => ({ ...plan, evaluation_timeout_seconds: "5" }),
      'plan.evaluation_timeout_seconds: must be seconds above 0, or null for none; found "5"',
    ],
    [
      "another environment",
      (plan) => ({ ...plan, environment: { ...plan.environment, id: "docker" } }),
      "plan.environment.id: a recipe cannot change it; it may set setup, resources, baseline_network_policy",
    ],
    [
      "another mode of evaluation",
      (plan) => ({ ...plan, evaluation_environment_mode: "reuse" }),
      "plan.evaluation_environment_mode: a recipe cannot change it",
    ],
    [
      "a resource that is none",
      (plan) => ({ ...plan, environment: { ...plan.environment, resources: { cpu: -1 } } }),
      "plan.environment.resources.cpu: must be a number above 0",
    ],
    [
      "a policy that contradicts itself",
      (plan) => ({ ...plan, run_network_policy: { ...PUBLIC_NETWORK, allowed_hosts: ["example.org"] } }),
      "plan.run_network_policy: allowed_hosts go with network_mode allowlist, found public",
    ],
    ["variables that are no texts", (plan) => ({ ...plan, env_variables: { A: [1] } }), "plan.env_variables.A: "],
  ])("refuses %s, with the recipe and the field", (_what, change, message) => {
    expect(() => apply(returning("mine", change))).toThrow(`recipe 'mine': ${message}`);
  });

  it("refuses a recipe that changes what it is given instead of returning a new plan", () => {
    const spoiled = recipe("mine", (plan) => Object.assign(plan, { run_timeout_seconds: 1 }));
    expect(() => apply(spoiled)).toThrow("recipe 'mine': apply changed what it was given; return a new plan instead");
    const words = recipe("mine", (plan, _request, task) => {
      (task.metadata["words"] as string[]).push("b");
      return plan;
    });
    expect(() => apply(words)).toThrow("recipe 'mine': apply changed what it was given");
    expect(TASK.metadata["words"]).toEqual(["a"]);
  });

  it("refuses what throws and what does not answer with true or false", () => {
    const fails = (): never => {
      throw new Error("no image for t");
    };
    expect(() => apply(recipe("mine", fails))).toThrow("recipe 'mine': apply threw: no image for t");
    expect(() => apply(recipe("mine", (plan) => plan, fails))).toThrow("recipe 'mine': matches threw: no image for t");
    const matches = (async () => false) as unknown as Recipe["matches"];
    expect(() => apply(recipe("mine", (plan) => plan, matches))).toThrow(
      "recipe 'mine': matches must return true or false, found a promise; a recipe is synchronous",
    );
  });
});

describe("selectRecipes", () => {
  const known = ["swe_docker", "swe_local"].map((id) => recipe(id, (plan) => plan));

  it("takes all when none is named, else those that are, in the order in which they were loaded", () => {
    expect(selectRecipes(known, [])).toEqual(known);
    expect(selectRecipes(known, ["swe_local", "swe_docker"])).toEqual(known);
    expect(selectRecipes(known, ["swe_local"])).toEqual([known[1]]);
  });

  it("refuses an id that no recipe has, with the known ones", () => {
    expect(() => selectRecipes(known, ["swe_dcker"])).toThrow(
      "execution.enabled_recipes: unknown recipe 'swe_dcker'; did you mean 'swe_docker'? (known: swe_docker, swe_local)",
    );
    expect(() => selectRecipes([], ["swe"])).toThrow("none is loaded: name the recipe's file in components");
  });
});
