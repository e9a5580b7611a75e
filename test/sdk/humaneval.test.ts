import { startModelServer } from "@agentcompass/runner/testing";
import { components, type RunEvaluationOptions, runOutcome } from "@agentcompass/sdk";
import { expect, it, onTestFinished } from "vitest";
import { PROBLEMS_TEXT } from "../../packages/runner/testing/humaneval-problems.ts";
import { createPlace, type Ended, endedOf } from "../options/place.ts";

type Options = Partial<RunEvaluationOptions> & { readonly harness: string };

async function evaluate(options: Options): Promise<Ended> {
  const place = await createPlace();
  await place.write("data/humaneval/HumanEval.jsonl", PROBLEMS_TEXT);
  return endedOf(await runOutcome({ benchmark: "humaneval", model: "none", catalog: await components(), ...options }));
}

it.each([
  ["oracle", 1],
  ["nop", 0],
])("%s scores %d on humaneval", { timeout: 60_000 }, async (harness, score) => {
  const ended = await evaluate({ harness });
  expect([ended.status, ended.score]).toEqual(["completed", score]);
  expect((await ended.json("run_info.json")).provenance.data).toMatchObject({ tasks_available: 8 });
});

const bash = (command: string, index: number) => ({
  content: "",
  tool_calls: [
    { id: `call_${index}`, type: "function", function: { name: "bash", arguments: JSON.stringify({ command }) } },
  ],
});

it("takes the text that an agent submits as its answer", { timeout: 60_000 }, async () => {
  const program = "def clamp(value, low, high):\n    return max(low, min(value, high))\n";
  const server = await startModelServer([
    bash(`cat > clamp.py <<'END'\n${program}END\npython3 -c 'import clamp; print(clamp.clamp(5, 0, 3))'`, 1),
    bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat clamp.py", 2),
  ]);
  onTestFinished(() => server.close());
  const ended = await evaluate({
    harness: "mini_swe_agent",
    model: "m",
    modelBaseUrl: server.url,
    benchmarkParams: { sample_ids: "Own/clamp" },
  });
  expect([ended.error, ended.score]).toEqual(["", 1]);
});
