import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createPlace, type Ended, HOST, namesIn, type Place, pause, refused } from "./place.ts";

const NAMESPACE = "none_work_worker";

it("runName: directory levels before the run's own, made safe", async () => {
  const place = await createPlace();
  const run = await place.run({ runName: "team/../a b", runId: "r" });
  expect(run.directory.replace(/\/$/, "")).toBe(join(place.path, "results", "team", "a_b", NAMESPACE, "r"));
});

it("runId: names the run's directory, else the time does; one that exists is refused", async () => {
  const place = await createPlace();
  await place.run({ runId: "mine" });
  await place.run();
  const names = await namesIn(join(place.path, "results", NAMESPACE));
  expect(names).toEqual([expect.stringMatching(/^\d{8}_\d{6}$/), "mine"]);
  expect(await refused(place.run({ runId: "mine" }))).toMatch(/run.exists: .*'mine' exists already at/);
});

it.each([
  ["../x", ".._x"],
  ["a b/c", "a_b_c"],
  ["2026=01.b-c", "2026=01.b-c"],
])("runId: %s is the directory %s, beside the other runs", async (runId, name) => {
  const place = await createPlace();
  const run = await place.run({ runId });
  expect(run.directory.replace(/\/$/, "")).toBe(join(place.path, "results", NAMESPACE, name));
});

it("runId: in a launch the run of every request", async () => {
  const place = await createPlace();
  const request = { benchmark: { id: "work" }, harness: { id: "worker" }, environment: HOST, model: { id: "none" } };
  await place.launch(
    {
      requests: [
        { name: "a", ...request },
        { name: "b", ...request },
      ],
    },
    { runId: "both" },
  );
  for (const name of ["a", "b"]) expect(await namesIn(join(place.path, "results", name))).toEqual(["both"]);
});

function recordExecutions(place: Place): string[] {
  const executed: string[] = [];
  place.execution.run = async (ask) => {
    executed.push(ask.prepared.task_id);
    return "42";
  };
  return executed;
}

it("reuse: a new run takes the finished tasks of the newest one", async () => {
  const place = await createPlace();
  const executed = recordExecutions(place);
  const old = await place.run({ runId: "old", benchmarkParams: { tasks: 2 } });
  const info = { ...(await old.json("run_info.json")), started_at: "2020-01-01T00:00:00+00:00" };
  await place.write(`results/${NAMESPACE}/old/run_info.json`, info);
  await place.run({ runId: "newer", benchmarkParams: { tasks: 3 } });
  executed.length = 0;
  const run = await place.run({ reuse: true, benchmarkParams: { tasks: 4 } });
  expect(executed).toEqual(["t4"]);
  expect((await run.json("run_info.json")).reused_from.run_id).toBe("newer");
  await place.run({ benchmarkParams: { tasks: 1 } });
  expect(executed).toEqual(["t4", "t1"]);
});

it("reuseRunId: takes them from that run, and one that is not there is refused", async () => {
  const place = await createPlace();
  const executed = recordExecutions(place);
  await place.run({ runId: "one", benchmarkParams: { tasks: 1 } });
  await place.run({ runId: "two", benchmarkParams: { tasks: 2 } });
  executed.length = 0;
  const run = await place.run({ reuseRunId: "one", benchmarkParams: { tasks: 2 } });
  expect(executed).toEqual(["t2"]);
  expect((await run.json("run_info.json")).reused_from.run_id).toBe("one");
  expect(await refused(place.run({ reuseRunId: "three" }))).toContain("no run 'three'");
});

it("reuse: in a launch for every request but one that says false itself", async () => {
  const place = await createPlace();
  const executed = recordExecutions(place);
  const parts = { benchmark: { id: "work" }, harness: { id: "worker" }, environment: HOST, model: { id: "none" } };
  const spec = {
    requests: [
      { name: "a", ...parts },
      { name: "b", ...parts, runtime: { reuse: false } },
    ],
  };
  await place.launch(spec, { runId: "first" });
  executed.length = 0;
  const result = await place.launch(spec, { runId: "second", reuse: true });
  expect(result.status).toBe("completed");
  expect(executed).toHaveLength(1);
  const info = await readFile(join(place.path, "results", "a", "second", "run_info.json"), "utf8");
  expect(JSON.parse(info).reused_from.run_id).toBe("first");
});

/** A run whose second task was stopped while it was scored; the agent's answer is in its checkpoint. */
async function interruptedScoring(place: Place): Promise<Ended> {
  const controller = new AbortController();
  place.execution.evaluate = async (ask) => {
    if (ask.task.task_id === "t1") return { metrics: { correct: true } };
    controller.abort();
    await pause(5000, ask.signal);
    return { metrics: { correct: false } };
  };
  const run = await place.run({
    runId: "left",
    benchmarkParams: { tasks: 2 },
    taskConcurrency: 1,
    signal: controller.signal,
  });
  place.execution.evaluate = async (ask) => ({ metrics: { correct: ask.run.final_answer === "42" } });
  return run;
}

it("checkpointResume: what was left before its scoring is scored without the agent; else it runs again", async () => {
  const place = await createPlace();
  const executed = recordExecutions(place);
  expect((await interruptedScoring(place)).status).toBe("cancelled");
  expect(executed).toEqual(["t1", "t2"]);
  const again = async (checkpointResume: boolean): Promise<Ended> => {
    executed.length = 0;
    return place.run({ reuseRunId: "left", benchmarkParams: { tasks: 2 }, checkpointResume });
  };
  const resumed = await again(true);
  expect(executed).toEqual([]);
  expect([resumed.score, (await resumed.attempt(2)).final_answer]).toEqual([1, "42"]);
  const restarted = await again(false);
  expect(executed).toEqual(["t2"]);
  expect(restarted.score).toBe(1);
});

it("checkpointResume: a checkpoint of another task or that is torn is not taken", async () => {
  const place = await createPlace();
  const executed = recordExecutions(place);
  const left = await interruptedScoring(place);
  const running = join(left.directory, "details", "running");
  const [task = ""] = await readdir(running);
  const broken = join(place.path, "results", NAMESPACE, "broken");
  await cp(left.directory, broken, { recursive: true });
  await rm(join(broken, "details/running", task, "attempt-1/checkpoint.json"));
  await mkdir(join(broken, "details/running", task, "attempt-1"), { recursive: true });
  await place.write(
    `results/${NAMESPACE}/broken/details/running/${task}/attempt-1/checkpoint.json`,
    '{"evaluation": {',
  );
  executed.length = 0;
  await place.run({ reuseRunId: "broken", benchmarkParams: { tasks: 2 } });
  expect(executed).toEqual(["t2"]);
});
