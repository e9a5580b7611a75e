import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { extendCatalog } from "@agentcompass/runner/catalog";
import { components, launch, type RunEvaluationOptions, runOutcome } from "@agentcompass/sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { specialPatternCheckDescriptor } from "./special/benchmark.ts";
import { compareRuns } from "./special/compare-runs.ts";
import { type StubModel, startStubModel } from "./special/stub-model.ts";

const EXAMPLES = resolve(import.meta.dirname, "runs");
const NAMESPACE = "stub-model_special_pattern_check_openai_chat";

let folder: string;
let stub: StubModel;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentcompass-runs-"));
  stub = await startStubModel();
  process.env["AGENTCOMPASS_STATE_DIR"] = join(folder, "state");
  process.env["XDG_CONFIG_HOME"] = join(folder, "config");
});

afterEach(async () => {
  await stub[Symbol.asyncDispose]();
  delete process.env["AGENTCOMPASS_STATE_DIR"];
  delete process.env["XDG_CONFIG_HOME"];
  await rm(folder, { recursive: true, force: true });
});

async function catalog() {
  return extendCatalog(await components(), { benchmarks: [specialPatternCheckDescriptor] });
}

async function run(runId: string, version: string, options: Partial<RunEvaluationOptions> = {}) {
  return runOutcome({
    benchmark: "special_pattern_check",
    harness: "openai_chat",
    model: "stub-model",
    benchmarkParams: { dataset_dir: join(EXAMPLES, "inputs"), version },
    harnessParams: { max_retries: 1 },
    modelBaseUrl: stub.url,
    modelApiKey: "stub-key-12345",
    modelApiProtocol: "openai-chat",
    resultsDir: join(folder, "results"),
    runId,
    catalog: await catalog(),
    ...options,
  });
}

const ours = (runId: string): string => join(folder, "results", NAMESPACE, runId);
const example = (runId: string): string => join(EXAMPLES, runId);

it("repeats run a: one attempt, four tasks in two categories", async () => {
  const { status } = await run("a", "four", { taskConcurrency: 2 });
  expect(status).toBe("completed");
  expect(await compareRuns(example("a"), ours("a"))).toEqual([]);
});

it("repeats run b: three attempts each", async () => {
  const { status } = await run("b", "two", { k: 3, taskConcurrency: 3, fileLogLevel: "INFO" });
  expect(status).toBe("completed");
  expect(await compareRuns(example("b"), ours("b"))).toEqual([]);
});

it("repeats run c: a fatal task after a retry, an error with a metric, a task saved by its retry", async () => {
  const { status } = await run("c", "mixed", {
    taskConcurrency: 2,
    maxRetries: 1,
    enableAnalysis: false,
    executionParams: { retry_min_delay_seconds: 0.5, retry_max_delay_seconds: 1 },
  });
  expect(status).toBe("partial_failure");
  expect(await compareRuns(example("c"), ours("c"))).toEqual([]);
});

it("repeats run d: a launch with a good request and a failing one", async () => {
  const text = await readFile(join(EXAMPLES, "inputs", "d.yaml"), "utf8");
  process.env["STUB_KEY"] = "stub-key-12345";
  const { parseYaml } = await import("@agentcompass/core/spec");
  const local = text.replace("/srv/agentcompass/data", join(EXAMPLES, "inputs")).replace(/http:[^"]*/, stub.url);
  const result = await launch(parseYaml(local, "d.yaml").value as Record<string, unknown>, {
    resultsDir: join(folder, "results-d"),
    runId: "d",
    catalog: await catalog(),
  });
  delete process.env["STUB_KEY"];
  expect(result.status).toBe("partial_failure");
  expect(result.requests["good"]?.status).toBe("completed");
  expect(result.requests["bad"]?.status).toBe("failed");
  for (const name of ["good", "bad"])
    expect(
      await compareRuns(join(example("d"), "group", name, "d"), join(folder, "results-d", "group", name, "d")),
    ).toEqual([]);
});

it("repeats runs e and f: cancelled while the second task waits, then reused", async () => {
  stub.answersSlow = false;
  const controller = new AbortController();
  const cancelled = run("e", "slow", { taskConcurrency: 1, signal: controller.signal });
  await stub.slowArrived;
  controller.abort();
  expect((await cancelled).status).toBe("cancelled");
  expect(await compareRuns(example("e"), ours("e"))).toEqual([]);

  stub.answersSlow = true;
  stub.asked.length = 0;
  const { status } = await run("f", "slow", { taskConcurrency: 1, reuse: true, reuseRunId: "e" });
  expect(status).toBe("completed");
  expect(stub.asked.some((question) => question.includes("6*7"))).toBe(false);
  expect(await compareRuns(example("f"), ours("f"))).toEqual([]);
  expect(await compareRuns(example("e"), ours("e"))).toEqual([]);
});
