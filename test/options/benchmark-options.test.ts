import { readdir } from "node:fs/promises";
import { startModelServer } from "@agentcompass/runner/testing";
import { components, type RunEvaluationOptions, runOutcome } from "@agentcompass/sdk";
import { expect, it, onTestFinished } from "vitest";
import { createPlace, type Ended, endedOf } from "./place.ts";

const PROBLEM = {
  task_id: "Own/0",
  entry_point: "double",
  prompt: 'def double(number):\n    """ Twice the number. """\n',
  canonical_solution: "    return number * 2\n",
  test: "def check(candidate):\n    assert candidate(4) == 8\n",
};

type Answered = {
  readonly run: (params?: Readonly<Record<string, unknown>>, options?: Partial<RunEvaluationOptions>) => Promise<Ended>;
  readonly calls: () => number;
};

/** One problem of humaneval, answered by a model with `answer`. */
async function answering(answer: string): Promise<Answered> {
  const place = await createPlace();
  const server = await startModelServer([{ content: answer }]);
  onTestFinished(() => server.close());
  await place.write("data/humaneval/HumanEval.jsonl", PROBLEM);
  return {
    calls: () => server.requests.length,
    run: async (benchmarkParams = {}, options = {}) =>
      endedOf(
        await runOutcome({
          ...{ benchmark: "humaneval", harness: "openai_chat", model: "m", modelBaseUrl: server.url },
          catalog: await components(),
          benchmarkParams,
          ...options,
        }),
      ),
  };
}

async function reasonOf(ended: Ended): Promise<string> {
  const [name] = await readdir(`${ended.directory}/details/normal`);
  return (await ended.json(`details/normal/${name}/attempt-1/result.json`)).meta.benchmark.reason;
}

it("python: runs the candidates; one that is missing or none is refused before any model call", async () => {
  const { run, calls } = await answering("    return number + number");
  expect((await run()).score).toBe(1);
  expect((await run({ python: "/usr/bin/env" }).catch((error) => error)).message).toContain("does not run as Python");
  const refused = await run({ python: "no-such-python" }).catch((error) => error);
  expect(refused).toMatchObject({ code: "component.invalid", exitCode: 2 });
  expect(refused.message).toMatch(
    /^benchmark\.python: 'no-such-python' is not there in environment 'host_process'; .+$/,
  );
  expect(calls()).toBe(1);
});

it("timeout_seconds: processor time of a candidate", async () => {
  const { run } = await answering("    while True: pass");
  const ended = await run({ timeout_seconds: 1 });
  expect([ended.status, ended.score]).toEqual(["completed", 0]);
  expect(await reasonOf(ended)).toContain("used up its time");
});

it("memory_mb: memory of a candidate", async () => {
  const { run } = await answering("    return number * 2 if bytearray(300 << 20) else 0");
  expect((await run()).score).toBe(1);
  const ended = await run({ memory_mb: 128 });
  expect(ended.score).toBe(0);
  expect(await reasonOf(ended)).toContain("MemoryError");
});

it.each([
  ["timeout_seconds", 0],
  ["timeout_seconds", 1.5],
  ["memory_mb", 1],
  ["python", ""],
])("%s is refused as %j", async (field, value) => {
  const { run, calls } = await answering("    pass");
  await expect(run({ [field]: value })).rejects.toThrow(`benchmark.${field}`);
  expect(calls()).toBe(0);
});

it("evaluates humaneval in an environment: mode none is refused", async () => {
  const { run } = await answering("    pass");
  const environmentParams = { evaluation_environment_mode: "none" };
  await expect(run({}, { environmentParams })).rejects.toThrow("is evaluated in an environment");
});

/** Lines of jsonl answered by a model with `answer`. */
async function scored(params: object, answer = "The result is 42."): Promise<Ended> {
  const place = await createPlace();
  const server = await startModelServer([{ content: answer }]);
  onTestFinished(() => server.close());
  const path = await place.write("tasks.jsonl", { input: "6 * 7?", expected: "42" });
  return endedOf(
    await runOutcome({
      ...{ benchmark: "jsonl", harness: "openai_chat", model: "m", modelBaseUrl: server.url },
      catalog: await components(),
      benchmarkParams: { path, ...params },
    }),
  );
}

it("scorer: how an answer is compared", async () => {
  expect((await scored({})).score).toBe(0);
  expect((await scored({ scorer: "numeric" })).score).toBe(1);
  await expect(scored({ scorer: "best" })).rejects.toThrow("benchmark.scorer");
});
