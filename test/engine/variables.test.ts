import { describe, expect, it } from "vitest";
import { createScenario } from "./scenario.ts";

describe("a variable of a task that nobody set", () => {
  const FIELDS = ["env_variables", "run_env_variables", "evaluation_env_variables"];

  it.each(FIELDS)("is refused with its path in environment.%s and what to do", async (field) => {
    const environment = { [field]: { A: "x${NOPE}", B: "plain", toString: "${ALSO:-kept}" } };
    const scenario = createScenario({ orchestration: { requests: [{ name: "one", environment }] } });
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.error).toContain(
      `environment.${field}.A: not set, and no default given: NOPE; set it where agentcompass is started, or write \${NOPE:-a default}`,
    );
    expect(scenario.executions).toEqual([]);
  });

  it("of a task's own is told from one of the environment", async () => {
    const scenario = createScenario({ tasks: [{ task_id: "t1", env_variables: { A: "${NOPE}" } }] });
    const { result } = await scenario.finish();
    expect(result.requests["one"]?.error).toContain("env_variables.A of the task: not set");
  });
});
