import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StageFailure } from "@agentcompass/core/plugin";
import {
  builtinEnvironment,
  components,
  type LaunchOptions,
  launch,
  type ProgressEvent,
  resolveLaunch,
  resolveRun,
  runEvaluation,
  runOutcome,
  summary,
  VERSION,
} from "@agentcompass/sdk";
import { describe, expect, it } from "vitest";
import { withWork } from "./components.ts";
import { createPlace, HOST, type Json, type Place, pause, refused } from "./place.ts";

const PARTS = {
  benchmark: { id: "starter", limit: 1 },
  harness: { id: "oracle" },
  environment: HOST,
  model: { id: "none" },
};

it("runEvaluation: returns metadata, metrics, summary and paths", async () => {
  await createPlace();
  const result: Json = await runEvaluation({
    benchmark: "starter",
    harness: "oracle",
    model: "none",
    benchmarkParams: { limit: 1 },
  });
  expect(result).toMatchObject({ evaluation_failed: false, metadata: { model: "none", total_tasks: 1 } });
  expect(result.metrics.series[0].value).toBe(1);
  expect(JSON.parse(await readFile(result.paths.metrics_json, "utf8")).series).toEqual(result.metrics.series);
});

/** Options of `work` by `worker`, with the components of a place. */
async function workOptions(place: Place, options: LaunchOptions = {}) {
  const catalog = withWork(await components(), place.execution, place.opened);
  return { benchmark: "work", harness: "worker", model: "none", catalog, ...options };
}

describe("runEvaluation: rejects with an AgentCompassError", () => {
  it("run.failed, which names the results, when a task ended fatally", async () => {
    const place = await createPlace();
    place.execution.run = async () => {
      throw new StageFailure("fatal", "harness_failed", "broken");
    };
    const line = await refused(runEvaluation(await workOptions(place)));
    expect(line).toMatch(/^run.failed: .*results: /);
    expect(line).toContain(join(place.path, "results"));
  });

  it("run.timed_out after the deadline", async () => {
    const place = await createPlace();
    place.execution.run = (ask) => pause(2000, ask.signal);
    expect(await refused(runEvaluation(await workOptions(place, { timeoutSeconds: 0.05 })))).toMatch(
      /^run.timed_out: /,
    );
  });

  it("run.cancelled when its signal aborts", async () => {
    const place = await createPlace();
    const controller = new AbortController();
    place.execution.run = async (ask) => {
      controller.abort();
      await pause(2000, ask.signal);
    };
    expect(await refused(runEvaluation(await workOptions(place, { signal: controller.signal })))).toMatch(
      /^run.cancelled: /,
    );
  });

  it("what refused it otherwise", async () => {
    await createPlace();
    expect(await refused(runEvaluation({ benchmark: "b", harness: "oracle", model: "none" }))).toMatch(
      /^component.unknown/,
    );
  });
});

it("runOutcome: gives a failed run as a result instead of an error", async () => {
  const place = await createPlace();
  place.execution.run = async () => {
    throw new StageFailure("fatal", "harness_failed", "broken");
  };
  const result = await runOutcome(await workOptions(place));
  expect(result).toMatchObject({ status: "partial_failure", requests: { run: { status: "failed" } } });
});

it("onProgress: every event in order, from run_started to run_finished", async () => {
  const place = await createPlace();
  const events: ProgressEvent[] = [];
  const run = await place.run({ onProgress: (event) => void events.push(event) });
  const names = events.map((event) => event.event);
  expect([names[0], names.at(-1)]).toEqual(["run_started", "run_finished"]);
  const written = (await run.text("progress.jsonl")).trim().split("\n");
  expect(written.map((line) => JSON.parse(line).event)).toEqual(names);
});

it("onRequestFinished: each outcome once, when it is there", async () => {
  await createPlace();
  const finished: string[] = [];
  const spec = {
    requests: [
      { name: "a", ...PARTS },
      { name: "b", ...PARTS, harness: { id: "terminus2" } },
    ],
  };
  await launch(spec, { onRequestFinished: ({ name, status }) => void finished.push(`${name} ${status}`) });
  expect(finished.sort()).toEqual(["a completed", "b failed"]);
});

it("onResolved: what will run, before anything is written", async () => {
  const place = await createPlace();
  const seen: string[] = [];
  await place.run({ onResolved: ({ requests }) => void seen.push(requests[0]?.benchmark.id ?? "") });
  expect(seen).toEqual(["work"]);
});

it("onProgress, onRequestFinished: what they throw is logged and ignored", async () => {
  const place = await createPlace();
  const messages: string[] = [];
  const angry = (): never => {
    throw new Error("no, thanks");
  };
  const run = await place.run({
    onProgress: angry,
    onRequestFinished: angry,
    onLog: ({ message }) => void messages.push(message),
  });
  expect(run.status).toBe("completed");
  expect(messages.filter((message) => message.includes("no, thanks")).length).toBeGreaterThan(1);
});

it("onLog, onResolved: what they throw does not end the run either", async () => {
  const place = await createPlace();
  const angry = (): never => {
    throw new Error("no, thanks");
  };
  expect((await place.run({ onLog: angry, logFile: "all.log" })).status).toBe("completed");
  expect((await place.run({ onResolved: angry, logFile: "all.log" })).status).toBe("completed");
  expect((await readFile("all.log", "utf8")).match(/a callback threw: no, thanks/g)?.length).toBeGreaterThan(1);
});

it("configPath: refused with a resolved orchestration, and so is reuse", async () => {
  await createPlace();
  const { orchestration } = await resolveLaunch({ requests: [{ name: "one", ...PARTS }] }, {});
  expect(await refused(launch(orchestration, { configPath: "x.yaml" }))).toMatch(/usage.invalid: configPath: /);
  expect(await refused(launch(orchestration, { reuse: true }))).toMatch(/usage.invalid: reuse: /);
});

it("launch: runs a resolved orchestration under the options of the whole", async () => {
  const place = await createPlace();
  const { orchestration } = await resolveLaunch({ requests: [{ name: "one", ...PARTS }] }, {});
  const result = await launch(orchestration, { resultsDir: "mine", runId: "r", taskConcurrency: 1 });
  expect(result.orchestration_id).toBe(orchestration.orchestration_id);
  expect(result.requests["one"]?.paths["output_dir"]).toContain(join(place.path, "mine", "one", "r"));
});

it("resolveRun: the request that runEvaluation would run, which launch takes", async () => {
  await createPlace();
  const { orchestration } = await resolveRun({
    benchmark: "starter",
    harness: "oracle",
    model: "none",
    benchmarkParams: { limit: 1 },
    runId: "r",
  });
  expect((await launch(orchestration)).status).toBe("completed");
});

it("launch: takes snake_case and camelCase objects alike; parameters keep their names", async () => {
  await createPlace();
  const snake = {
    task_concurrency: 3,
    runtime: { results_dir: "x", provider_limits: { myPlace: 1 } },
    requests: [
      {
        name: "one",
        ...PARTS,
        model: { id: "m", base_url: "http://a", api_protocol: "openai-chat", params: { maxTokens: 3 } },
        execution: { max_retries: 2, retry_pattern_list: ["a"] },
        environment: { ...HOST, env_variables: { myName: "a" }, evaluation_environment_mode: "reuse" },
        output: { run_id: "r" },
      },
    ],
  };
  const camel = {
    taskConcurrency: 3,
    runtime: { resultsDir: "x", providerLimits: { myPlace: 1 } },
    requests: [
      {
        name: "one",
        ...PARTS,
        model: { id: "m", baseUrl: "http://a", apiProtocol: "openai-chat", params: { maxTokens: 3 } },
        execution: { maxRetries: 2, retryPatternList: ["a"] },
        environment: { ...HOST, envVariables: { myName: "a" }, evaluationEnvironmentMode: "reuse" },
        output: { runId: "r" },
      },
    ],
  };
  const [left, right] = await Promise.all(
    [snake, camel].map(async (spec) => (await resolveLaunch(spec, {})).orchestration),
  );
  const { orchestration_id: _left, requests: leftRequests, ...leftRest } = left as Json;
  const { orchestration_id: _right, requests: rightRequests, ...rightRest } = right as Json;
  expect(rightRest).toEqual(leftRest);
  expect(rightRequests).toEqual([{ ...leftRequests[0], key: rightRequests[0].key }]);
  expect(leftRequests[0].model.params).toEqual({ maxTokens: 3 });
});

it("summary: the report of a stored run; configuration below its own parameters, options over them", async () => {
  const place = await createPlace();
  const run = await place.run({ benchmarkParams: { tasks: 2 } });
  expect((await summary(run.directory, { dryRun: true })).metrics["aggregation"]).toBe("micro_weighted");
  await place.write("other.yaml", { benchmarks: { work: { aggregation_mode: "category_mean" } } });
  expect((await summary(run.directory, { dryRun: true, configPath: "other.yaml" })).metrics["aggregation"]).toBe(
    "category_mean",
  );
  const benchmarkParams = { aggregation_mode: "micro_weighted" };
  const report = await summary(run.directory, { configPath: "other.yaml", benchmarkParams });
  expect([report.metrics["aggregation"], report.dry_run]).toEqual(["micro_weighted", false]);
});

it("components: every component by kind and id, with what comes later", async () => {
  const { benchmark, harness, environment } = await components();
  expect([...benchmark.keys()]).toEqual(expect.arrayContaining(["starter", "harbor", "gsm8k", "jsonl"]));
  expect([...harness.keys()]).toEqual(expect.arrayContaining(["openai_chat", "oracle", "nop", "terminus2"]));
  expect(environment.get("docker")?.load).toBeNull();
});

it("VERSION: the version of the package", async () => {
  const text = await readFile(join(import.meta.dirname, "../../packages/cli/package.json"), "utf8");
  expect(VERSION).toBe(JSON.parse(text).version);
});

it("run_analysis_only: comes with a later release; nothing else of the names is missing", async () => {
  expect(Object.keys(await import("@agentcompass/sdk")).sort()).toEqual([
    "AgentCompassError",
    "ERROR_CODES",
    "EnvironmentFailure",
    "ModelFailure",
    "StageFailure",
    "VERSION",
    "answerText",
    "assistantMessage",
    "builtinEnvironment",
    "components",
    "configShow",
    "defineBenchmark",
    "defineEnvironment",
    "defineHarness",
    "defineRecipe",
    "defineScorer",
    "doctor",
    "dryRun",
    "launch",
    "resolveLaunch",
    "resolveRun",
    "runEvaluation",
    "runOutcome",
    "summary",
    "textTask",
    "z",
  ]);
});

it("builtinEnvironment: an environment to build upon; an unknown one and one of a later release are refused by name", async () => {
  expect((await builtinEnvironment("host_process")).id).toBe("host_process");
  await expect(builtinEnvironment("hostprocess")).rejects.toThrow(
    "there is no built-in environment 'hostprocess' (known: ",
  );
  await expect(builtinEnvironment("docker")).rejects.toThrow("environment 'docker' comes with a later release");
});

it("define functions: a definition with its kind, ready to be exported by a component file", async () => {
  const sdk: Json = await import("@agentcompass/sdk");
  for (const kind of ["benchmark", "harness", "environment", "scorer", "recipe"]) {
    const define = sdk[`define${kind.charAt(0).toUpperCase()}${kind.slice(1)}`];
    expect(define({ id: "mine", kind: "other" })).toEqual({ id: "mine", kind });
  }
});

it("a component file: gets from agentcompass everything of these names that is for it", async () => {
  const api: Json = await import("../../packages/sdk/src/component-api.ts");
  const sdk: Json = await import("@agentcompass/sdk");
  expect(Object.keys(api).length).toBeGreaterThan(10);
  for (const name of Object.keys(api)) expect(api[name], name).toBe(sdk[name]);
  for (const name of Object.keys(sdk).filter((one) => /^define|Failure$|Error$/.test(one)))
    expect(api).toHaveProperty(name);
});
